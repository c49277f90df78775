import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { Actor, SessionId, sessionStream, TenantId } from '@app/kernel';
import type { Subscriptions } from '@app/ports';
import { type MemoryLog, openedEvent, openMemoryLog, requestedEvent } from '@app/testing';
import { runCompactor } from './compactor.js';
import type { CompactionRunner } from './run-compaction.js';

const GROUP = 'palimpsest-compactor';
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await yieldToLoop();
};
const aFewTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await yieldToLoop();
};

const request = async ({ log }: MemoryLog, id: string): Promise<void> => {
  const events = [openedEvent(id), requestedEvent(id)].map((event, at) => ({ id: `${id}-${at}`, event }));
  const context = { actor: Actor('tester'), correlationId: id };
  await log.append(sessionStream(TenantId('acme'), SessionId(id)), 'no-stream', events, context);
};

/** The compaction that a worker is given that comes next, within a few turns of the event loop. */
const leftIn = async ({ subscriptions }: MemoryLog): Promise<string | undefined> => {
  const stop = new AbortController();
  const next = subscriptions.durable(GROUP, ['CompactionRequested'], stop.signal);
  const first = next[Symbol.asyncIterator]().next();
  await aFewTurns();
  stop.abort();
  const event = (await first).value?.recorded.event;
  return event?.type === 'CompactionRequested' ? event.data.compactionId : undefined;
};

/** One place, which the first request takes and keeps until it is let go; the second waits. */
const waiting = async () => {
  const memory = openMemoryLog();
  for (const id of ['first', 'second']) await request(memory, id);
  const stop = new AbortController();
  const begun: string[] = [];
  const errors: unknown[] = [];
  let [now, subscribed] = [0, 0];
  let letGo = (): void => {};
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const run: CompactionRunner['run'] = async (_ref, id) => {
    begun.push(id);
    if (id === 'first') await free;
    return 'ended';
  };
  const durable: Subscriptions['durable'] = (...given) => {
    subscribed += 1;
    return memory.subscriptions.durable(...given);
  };
  const options = {
    subscriptions: { durable },
    runner: { run },
    atOnce: 1,
    held: 32,
    limitOf: async () => 2,
    onError: (error: unknown) => void errors.push(error),
    now: () => now,
  };
  const compacting = runCompactor(options, stop.signal);
  await until(() => begun.length === 1);
  await aFewTurns(); // The second is held by now.
  return {
    memory,
    begun,
    errors,
    letGo,
    subscriptions: () => subscribed,
    pass: (seconds: number) => {
      now += seconds * 1_000;
    },
    stop: () => {
      stop.abort();
      return compacting;
    },
  };
};

describe('a queued request', () => {
  it('is requested again and starts after its acknowledgement deadline', async () => {
    const { memory, pass, letGo, begun, stop, errors } = await waiting();
    pass(61);
    letGo();
    await until(() => begun.length === 2);
    await stop();
    expect(begun).toEqual(['first', 'second']);
    expect(await leftIn(memory)).toBeUndefined();
    expect(errors).toEqual([]);
  });

  it('does not start after the log has redelivered it to another worker', async () => {
    const { memory, pass, letGo, begun, stop } = await waiting();
    pass(900);
    letGo();
    await aFewTurns();
    await stop();
    expect(begun).toEqual(['first']);
    expect(await leftIn(memory)).toBe('second');
  });

  it('starts once although the connection is lost, and leaves running compactions alone', async () => {
    const { memory, letGo, begun, stop, errors, subscriptions } = await waiting();
    memory.loseConnections();
    await until(() => subscriptions() === 2);
    await aFewTurns();
    expect(errors).toHaveLength(1);
    letGo();
    await until(() => begun.length === 2);
    await stop();
    expect(begun).toEqual(['first', 'second']);
    expect(await leftIn(memory)).toBeUndefined();
  });
});
