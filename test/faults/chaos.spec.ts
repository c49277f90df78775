// Ten disturbances of a service in separate processes; three hundred: `node scripts/bench.mjs chaos`. By hand, with others:
//   PALIMPSEST_FAULT_ROUNDS=40 PALIMPSEST_FAULT_SEED=7 npm test -- test/faults/chaos
import { type Disturbance, runChaos, STALL_MS, startChaosDeployment } from '@app/deployments';
import { expect, it } from '@jest/globals';

const HOUR_MS = 3_600_000;
const SEED = Number(process.env.PALIMPSEST_FAULT_SEED ?? 5);
/** What nothing replaces stands still for no longer here: that it resumes is all that there is to see. */
const PAUSE_MS = 3_000;
/** 30 s are promised, which the benchmark holds; here other tests run beside it. */
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
 * Guarantee: whatever is killed, stands still for longer than every lease, loses its connections, its time or its disk:
 * what clients were told is so, once and in order, in the log, in the rows, with readers of the stream and receivers of
 * webhooks. A process that wakes writes nothing that its successor has written.
 */
it(`keeps the books balanced through ${ROUNDS} disturbances under load (seed ${SEED})`, async () => {
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
    expect(deployment.endedByThemselves).toBe(0);
  } finally {
    expect(await deployment.stop()).toEqual([0, 0, 0]);
  }
});
