// Kills parts of the service under load; other moments and more of them, by hand:
//   PALIMPSEST_FAULT_KILLS=10 PALIMPSEST_FAULT_SEED=7 npm test -- test/service/kills
// Thirty are killed by `node scripts/bench.mjs kill`.

import { killUnderLoad, startInProcesses } from '@app/deployments';
import { expect, it } from '@jest/globals';

const KILLS = Number(process.env.PALIMPSEST_FAULT_KILLS ?? 3);
/** By this one the API, PostgreSQL and the event store die. */
const SEED = Number(process.env.PALIMPSEST_FAULT_SEED ?? 5);
const STARTING_MS = 120_000;
const KILL_MS = 120_000;

/** Guarantee: a crash of whatever part may cost clients an answer, and never makes one of theirs untrue. */
it(
  `tells nobody a lie although ${KILLS} parts of it are killed under load (seed ${SEED})`,
  async () => {
    const deployment = await startInProcesses({ PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true' });
    try {
      const found = await killUnderLoad(deployment, { kills: KILLS, seed: SEED, tenants: 2, agents: 3 });
      expect(found.faults).toEqual([]);
      expect([...found.kills.values()].reduce((sum, count) => sum + count, 0)).toBe(KILLS);
      expect(found.acknowledged).toBeGreaterThan(KILLS);
    } finally {
      await deployment.stop();
    }
  },
  STARTING_MS + KILLS * KILL_MS,
);
