import { PassThrough } from 'node:stream';
import { Actor, IsoTime, SessionId, sessionStream, TenantId } from '@app/kernel';
import { MemoryBlobStore, MemoryContentKeys, openedEvent } from '@app/testing';
import { type EventStoreDBClient, UnavailableError } from '@eventstore/db-client';
import { parseSessionEvent } from './codec/schema.js';
import { EventStoreDbLog } from './event-log.js';
import type { Appends } from './wire/appends.js';

const stream = sessionStream(TenantId('acme'), SessionId('some'));
const clock = { now: () => IsoTime('2026-11-21T00:00:00.000Z') };

type Try = 'fails' | 'brings' | 'brings, then fails';

/** A log of one event, and how often it was asked for. */
const logThat = async (...tries: readonly Try[]) => {
  const left = [...tries];
  let recorded: object = {};
  let asked = 0;
  const append: Appends['append'] = async (_, [event]) => {
    const told = (bytes?: Uint8Array): object => JSON.parse(Buffer.from(bytes ?? []).toString());
    recorded = { ...event, data: told(event?.data), metadata: told(event?.metadata), revision: 0n };
    return 0n;
  };
  const readStream = () => {
    asked += 1;
    const what = left.shift() ?? 'brings';
    const source = Object.assign(new PassThrough({ objectMode: true }), { cancel: async () => {} });
    if (what !== 'fails') source.write({ event: recorded });
    setImmediate(() =>
      what === 'brings' ? source.end() : source.destroy(new UnavailableError(undefined, 'gone')),
    );
    return source as unknown as ReturnType<EventStoreDBClient['readStream']>; // As much of it as is looked at.
  };
  const log = new EventStoreDbLog(
    { readStream: readStream as EventStoreDBClient['readStream'] },
    { append },
    { blobs: new MemoryBlobStore(), keys: new MemoryContentKeys() },
    clock,
    parseSessionEvent,
  );
  const context = { actor: Actor('tester'), correlationId: 'turn' };
  await log.append(stream, 'no-stream', [{ id: 'an-id', event: openedEvent() }], context);
  return { log, asked: () => asked };
};
type Log = Awaited<ReturnType<typeof logThat>>['log'];
const readAll = async (log: Log, seen: number[] = []): Promise<readonly number[]> => {
  for await (const { revision } of log.readForwards(stream)) seen.push(revision);
  return seen;
};
const GONE = { code: 'event-store-unavailable' };

describe('a read from an unavailable server', () => {
  it('is retried if no event has arrived', async () => {
    const { log, asked } = await logThat('fails', 'fails', 'brings');
    expect(await readAll(log)).toEqual([0]);
    expect(asked()).toBe(3);
  });

  it('fails if an event has arrived, so that no reader gets an event twice', async () => {
    const { log, asked } = await logThat('brings, then fails');
    const seen: number[] = [];
    await expect(readAll(log, seen)).rejects.toMatchObject(GONE);
    expect([seen, asked()]).toEqual([[0], 1]);
  });

  it('fails after four attempts, and after one attempt on a closing connection', async () => {
    const { log, asked } = await logThat(...Array.from({ length: 9 }, () => 'fails' as const));
    await expect(readAll(log)).rejects.toMatchObject(GONE);
    expect(asked()).toBe(4);
    log.close();
    await expect(readAll(log)).rejects.toMatchObject(GONE);
    expect(asked()).toBe(5);
  });
});
