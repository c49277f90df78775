import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Engine } from '../storage/engine.js';
import { EventLog } from './event-log.js';

const engine: Engine = {
  get: () => undefined,
  scan: () => [],
  commit: async () => undefined,
  close: async () => undefined,
};

const enoughTurns = async (): Promise<string> => {
  for (let turn = 0; turn < 10; turn += 1) await endOfTurn();
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
