import { streamOf } from '@app/application';
import { invariant, SessionId, TenantId } from '@app/kernel';
import { ANY, binaryEvent, type EventData, EventStoreDBClient, FORWARDS, START } from '@eventstore/db-client';
import type { RunningStore } from '../event-store.js';

export type Appended = { readonly events: number; readonly milliseconds: number };

/** Appends what was imported a second time, by the client as it comes: what one append brought goes in one again. */
export const appendAgain = async ({ url }: RunningStore): Promise<Appended> => {
  const client = EventStoreDBClient.connectionString(url);
  const stream = streamOf({ tenant: TenantId('bench'), session: SessionId('bench') });
  const again = `${stream}-again`;
  let [events, milliseconds] = [0, 0];
  let batch: EventData[] = [];
  let batchKey = '';
  const append = async (): Promise<void> => {
    if (batch.length === 0) return;
    const startedAt = performance.now();
    await client.appendToStream(again, batch, { expectedRevision: ANY });
    milliseconds += performance.now() - startedAt;
    events += batch.length;
    batch = [];
  };
  for await (const { event } of client.readStream(stream, { direction: FORWARDS, fromRevision: START })) {
    invariant(event, 'a stream that is no link has its events');
    const { type, data, metadata } = event;
    const key = JSON.stringify(metadata);
    if (key !== batchKey) await append();
    batchKey = key;
    const bytes = data instanceof Uint8Array ? Buffer.from(data) : Buffer.from(JSON.stringify(data));
    const meta =
      metadata instanceof Uint8Array ? Buffer.from(metadata) : Buffer.from(JSON.stringify(metadata));
    batch.push(binaryEvent({ type, data: bytes, metadata: meta }));
  }
  await append();
  await client.dispose();
  return { events, milliseconds };
};
