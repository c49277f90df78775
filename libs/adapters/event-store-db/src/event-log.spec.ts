import { Actor, IsoTime, Revision, SessionId, sessionStream, TenantId } from '@app/kernel';
import { ConflictError } from '@app/ports';
import { MemoryBlobStore, MemoryContentKeys, openedEvent } from '@app/testing';
import { type EventStoreDBClient, UnavailableError, WrongExpectedVersionError } from '@eventstore/db-client';
import { jest } from '@jest/globals';
import { parseSessionEvent } from './codec/schema.js';
import { EventStoreDbLog } from './event-log.js';
import type { Appends } from './wire/appends.js';

const stream = sessionStream(TenantId('acme'), SessionId('some'));
const clock = { now: () => IsoTime('2026-11-21T00:00:00.000Z') };
const context = { actor: Actor('tester'), correlationId: 'turn' };

type Append = Appends['append'];
const unavailable = () => new UnavailableError(undefined, 'gone');
const conflict = () =>
  new WrongExpectedVersionError(undefined, { streamName: stream, current: 3n, expected: 'no_stream' });
const recorded = 0n;

/** A log whose client returns the given answers in order, and the recorded calls. */
const logOver = (...answers: (() => ReturnType<Append>)[]) => {
  const asked: { readonly ids: unknown; readonly expected: unknown }[] = [];
  const append: Append = (_, events, expected) => {
    asked.push({ ids: events.map(({ id }) => id), expected });
    return answers.shift()?.() ?? Promise.reject(new Error('another call was not expected'));
  };
  const readStream: EventStoreDBClient['readStream'] = () => {
    throw new Error('a read fails here');
  };
  const log = new EventStoreDbLog(
    { readStream },
    { append },
    { blobs: new MemoryBlobStore(), keys: new MemoryContentKeys() },
    clock,
    parseSessionEvent,
  );
  const appendTo = (expected: Revision | 'no-stream' = 'no-stream') =>
    log.append(stream, expected, [{ id: 'an-id', event: openedEvent() }], context);
  return { append: appendTo, asked };
};

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('an append whose outcome is unknown', () => {
  it('is retried with the same event ids at the same revision', async () => {
    const { append, asked } = logOver(
      () => Promise.reject(unavailable()),
      () => Promise.reject(unavailable()),
      async () => recorded,
    );
    const appending = append(Revision(4));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await appending).toBe(0);
    expect(asked).toEqual(Array.from({ length: 3 }, () => ({ ids: ['an-id'], expected: 4 })));
  });

  it('is retried if the connection is refused before the request is sent', async () => {
    const refused = Object.assign(new Error('14 UNAVAILABLE: no connection established'), { code: 14 });
    const { append, asked } = logOver(
      () => Promise.reject(refused),
      async () => recorded,
    );
    const appending = append();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await appending).toBe(0);
    expect(asked).toHaveLength(2);
  });

  it('is retried after a timeout', async () => {
    const { append, asked } = logOver(
      () => new Promise(() => {}),
      async () => recorded,
    );
    const appending = append();
    await jest.advanceTimersByTimeAsync(20_000);
    expect(await appending).toBe(0);
    expect(asked).toHaveLength(2);
  });

  it('fails after four attempts, with the cause', async () => {
    const { append, asked } = logOver(
      ...Array.from({ length: 4 }, () => () => Promise.reject(unavailable())),
    );
    const appending = expect(append()).rejects.toMatchObject({
      code: 'event-store-unavailable',
      cause: expect.any(UnavailableError),
    });
    await jest.advanceTimersByTimeAsync(5_000);
    await appending;
    expect(asked).toHaveLength(4);
  });

  it('fails as a conflict if another writer appended in between', async () => {
    const { append } = logOver(
      () => Promise.reject(unavailable()),
      () => Promise.reject(conflict()),
    );
    const appending = expect(append()).rejects.toBeInstanceOf(ConflictError);
    await jest.advanceTimersByTimeAsync(1_000);
    await appending;
  });
});

describe('an append that the server rejects', () => {
  it('is not retried', async () => {
    const { append, asked } = logOver(() => Promise.reject(conflict()));
    await expect(append()).rejects.toBeInstanceOf(ConflictError);
    expect(asked).toHaveLength(1);
  });

  it.each(['disk full: no space left', 'MDB_MAP_FULL: Environment mapsize limit reached'])(
    'fails with “disk full”: %s',
    async (text) => {
      const { append } = logOver(() => Promise.reject(new Error(text)));
      await expect(append()).rejects.toMatchObject({ code: 'disk-full' });
    },
  );
});
