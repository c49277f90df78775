import { setImmediate as yieldToLoop } from 'node:timers/promises';
import { jest } from '@jest/globals';
import type { Engine } from '../storage/engine.js';
import { EventId } from './event-id.js';
import { EventLog } from './event-log.js';

const engine: Engine = {
  get: () => undefined,
  scan: () => [],
  commit: async () => undefined,
  close: async () => undefined,
};

const enoughTurns = async (): Promise<string> => {
  for (let turn = 0; turn < 10; turn += 1) await yieldToLoop();
  return 'forgotten';
};

/** Guarantee: an append at any moment after the previous answer is written. */
it.each(Array.from({ length: 12 }, (_, turns) => turns))(
  'writes an append that arrives %i microtasks after the previous answer',
  async (turns) => {
    const log = new EventLog(engine);
    await log.put([]);
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    const late = log.put([]).then(() => 'written');
    expect(await Promise.race([late, enoughTurns()])).toBe('written');
  },
);

it.each(Array.from({ length: 12 }, (_, turns) => turns))(
  'switches a projection %i microtasks after the previous answer',
  async (turns) => {
    const log = new EventLog(engine);
    await log.put([]);
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    const late = log.switchProjection('$by_category', 'running').then(() => 'switched');
    expect(await Promise.race([late, enoughTurns()])).toBe('switched');
  },
);

it('lets other calls in at least every 5 ms during an append of 30,000 events', async () => {
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 1)); // Each look takes a millisecond.
  const log = new EventLog(engine);
  const events = Array.from({ length: 30_000 }, (_, at) => ({
    id: EventId(`00000000-0000-4000-8000-${String(at).padStart(12, '0')}`),
    ...{
      type: 'Counted',
      contentType: 'application/json',
      data: Buffer.from('{}'),
      metadata: Buffer.alloc(0),
    },
  }));
  let isWritten = false;
  const written = log.append({ stream: 'large', expected: { kind: 'any' }, events }).then((outcome) => {
    isWritten = true;
    return outcome;
  });
  let turns = 0;
  for (; !isWritten; turns += 1) await yieldToLoop();
  clock.mockRestore();
  expect(await written).toMatchObject({ kind: 'appended', last: 29_999 });
  expect(turns).toBeGreaterThan(30_000 / 6);
});
