import { streamOf } from '@app/application';
import { invariant, isJsonObject, SessionId, TenantId } from '@app/kernel';
import { ANY, type EventData, EventStoreDBClient, FORWARDS, jsonEvent, START } from '@eventstore/db-client';
import type { RunningStore } from '../event-store.js';

export type Appended = { readonly events: number; readonly appends: number; readonly milliseconds: number };

/** Size of an append, equal to an import's: smaller ones are slower, and larger ones hardly faster. */
const APPEND_BYTES = 262_000;

/** Appends the imported events again with the bare client, one append after the other. */
export const appendAgain = async ({ url }: RunningStore): Promise<Appended> => {
  const client = EventStoreDBClient.connectionString(url);
  const stream = streamOf({ tenant: TenantId('bench'), session: SessionId('bench') });
  const again = `${stream}-again`;
  let [events, appends, milliseconds, bytes] = [0, 0, 0, 0];
  let batch: EventData[] = [];
  const append = async (): Promise<void> => {
    const startedAt = performance.now();
    await client.appendToStream(again, batch, { expectedRevision: ANY });
    milliseconds += performance.now() - startedAt;
    events += batch.length;
    appends += 1;
    batch = [];
    bytes = 0;
  };
  for await (const { event } of client.readStream(stream, { direction: FORWARDS, fromRevision: START })) {
    invariant(event?.isJson, 'an unlinked JSON event has data');
    const { type, data, metadata } = event;
    invariant(isJsonObject(data) && isJsonObject(metadata), 'data and metadata are objects');
    const size = Buffer.byteLength(JSON.stringify(data));
    if (batch.length > 0 && bytes + size > APPEND_BYTES) await append();
    batch.push(jsonEvent({ type, data, metadata }));
    bytes += size;
  }
  await append();
  await client.dispose();
  return { events, appends, milliseconds };
};
