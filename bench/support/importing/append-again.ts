import { decodeAsLibrary } from '@app/adapters/event-store-db';
import { streamOf } from '@app/application';
import { invariant, isJsonObject, SessionId, TenantId } from '@app/kernel';
import { ANY, type EventData, EventStoreDBClient, FORWARDS, jsonEvent, START } from '@eventstore/db-client';
import type { RunningStore } from '../event-store.js';

export type Appended = { readonly events: number; readonly appends: number; readonly milliseconds: number };

/** Of one append, as large as an import's: smaller ones take longer, and larger ones hardly less. */
const APPEND_BYTES = 262_000;

/** Appends what was imported a second time, by the client as it comes: each append once the one before it is on disk. */
export const appendAgain = async ({ url }: RunningStore): Promise<Appended> => {
  decodeAsLibrary();
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
    invariant(event?.isJson, 'a stream that is no link has its events, and ours are JSON');
    const { type, data, metadata } = event;
    invariant(isJsonObject(data) && isJsonObject(metadata), 'ours are objects');
    const size = Buffer.byteLength(JSON.stringify(data));
    if (batch.length > 0 && bytes + size > APPEND_BYTES) await append();
    batch.push(jsonEvent({ type, data, metadata }));
    bytes += size;
  }
  await append();
  await client.dispose();
  return { events, appends, milliseconds };
};
