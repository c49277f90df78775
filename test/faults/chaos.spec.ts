// Ten disturbances of a service in separate processes; `node scripts/bench.mjs chaos` runs three hundred. Other ones:
//   PALIMPSEST_FAULT_ROUNDS=40 PALIMPSEST_FAULT_SEED=7 npm test -- test/faults/chaos
import { type Disturbance, runChaos, STALL_MS, startChaosDeployment } from '@app/deployments';
import { expect, it } from '@jest/globals';

const HOUR_MS = 3_600_000;
const SEED = Number(process.env.PALIMPSEST_FAULT_SEED ?? 5);
/** Shorter than in production: a process without replacement is suspended this long, and must resume. */
const PAUSE_MS = 3_000;
/** The promise is 30 s, which the benchmark checks; other tests run beside this one. */
const RECOVERED_WITHIN_MS = 100_000;

const DECK: readonly Disturbance[] = [
  { kind: 'kill', part: 'api' },
  { kind: 'kill', part: 'event-store' },
  { kind: 'kill', part: 'postgres' },
  { kind: 'stall', part: 'worker' },
  { kind: 'stall', part: 'other-worker' },
  { kind: 'stall', part: 'postgres' },
  { kind: 'cut', program: 'api', server: 'postgres' },
  { kind: 'hold', program: 'api', server: 'event-store' },
  { kind: 'clock', program: 'worker', shiftMs: -HOUR_MS },
];
const ROUNDS = Number(process.env.PALIMPSEST_FAULT_ROUNDS ?? DECK.length + 1);

/**
 * Guarantee: after kills, suspensions longer than every lease, and losses of connections, time or disk, everything
 * that clients were told holds once and in order: in the log, in the rows, for stream readers and webhook receivers.
 * A resumed process does not overwrite its successor.
 */
it(`loses and duplicates nothing in ${ROUNDS} disturbances under load (seed ${SEED})`, async () => {
  const deployment = await startChaosDeployment();
  try {
    const last: Disturbance = deployment.disk('event-store')
      ? { kind: 'full-disk', server: 'event-store' }
      : { kind: 'cut', program: 'worker', server: 'event-store' };
    const found = await runChaos(deployment, {
      rounds: ROUNDS,
      seed: SEED,
      deck: [...DECK, last],
      pauses: { stallMs: STALL_MS, pauseMs: PAUSE_MS },
      recoveredWithinMs: RECOVERED_WITHIN_MS,
    });
    expect(found.faults).toEqual([]);
    expect(found.acknowledged).toBeGreaterThan(ROUNDS);
  } finally {
    expect(await deployment.stop()).toEqual([0, 0, 0]);
  }
});
