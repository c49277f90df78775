import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEventStore } from '@app/adapters/event-store-db';
import { type SpawnedEventStore, spawnEventStore } from '@app/embedded-event-store';
import { Actor, IsoTime, SessionId, sessionStream, TenantId } from '@app/kernel';
import { MemoryContentKeys } from '@app/testing';
import { jest } from '@jest/globals';

/** Guarantee: a process whose clock is behind the event store's can append. */
describe('clock an hour behind the event store’s', () => {
  let folder: string;
  let server: SpawnedEventStore;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'skew-'));
    server = await spawnEventStore({ dataDir: folder });
  });
  afterAll(async () => {
    jest.useRealTimers();
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('causes no rejected append', async () => {
    const none = { put: () => Promise.reject(new Error('none')), get: async () => undefined };
    const clock = { now: () => IsoTime(new Date()) };
    jest.useFakeTimers({
      now: Date.now() - 3_600_000,
      doNotFake: [
        'hrtime',
        'nextTick',
        'performance',
        'queueMicrotask',
        'setImmediate',
        'clearImmediate',
        'setInterval',
        'clearInterval',
        'setTimeout',
        'clearTimeout',
      ],
    });
    const store = openEventStore(
      server.url,
      { blobs: none as never, keys: new MemoryContentKeys() },
      clock as never,
    ); // A small event uses neither blobs nor clock.
    const stream = sessionStream(TenantId('acme'), SessionId('s-1'));
    const event = { type: 'SessionClosed', data: { reason: 'done' } } as const;
    const context = { actor: Actor('tests'), correlationId: 'c-1' };
    const id = '0b1c2d3e-4f50-4a61-9b72-8c93a4b5c6d7';
    await expect(store.log.append(stream, 'no-stream', [{ id, event }], context)).resolves.toBe(0);
    await store.close();
  });
});
