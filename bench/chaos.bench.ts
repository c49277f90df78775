/**
 * Kills, suspensions, cut and blocked connections, clock jumps and full disks under load, over API, two workers,
 * event store and PostgreSQL as separate processes. Measures consistency instead of speed: after each round the state
 * is consistent within 30 s. `PALIMPSEST_BENCH_ROUNDS`, `PALIMPSEST_BENCH_SEED`, `PALIMPSEST_BENCH_ONLY` (part of a
 * disturbance's name).
 */
import {
  ALL_DISTURBANCES,
  disturbanceName,
  RECOVERED_WITHIN_MS,
  runChaos,
  STALL_MS,
  startChaosDeployment,
} from '@app/deployments';
import { readInvocation } from './support/invocation.js';
import { fixed, note, report } from './support/report.js';
import { median } from './support/rounds.js';

const { quick } = readInvocation();
const SEED = Number(process.env.PALIMPSEST_BENCH_SEED ?? Date.now() % 100_000);
const ROUNDS = Number(process.env.PALIMPSEST_BENCH_ROUNDS ?? (quick ? 4 : 300));
const ONLY = process.env.PALIMPSEST_BENCH_ONLY ?? '';

note(`seed ${SEED}`);
const deployment = await startChaosDeployment();
const deck = ALL_DISTURBANCES.filter((one) => disturbanceName(one).includes(ONLY)).filter(
  (one) => one.kind !== 'full-disk' || deployment.disk(one.server) !== undefined,
);
const found = await runChaos(deployment, {
  rounds: ROUNDS,
  seed: SEED,
  deck,
  pauses: { stallMs: STALL_MS, pauseMs: STALL_MS },
  recoveredWithinMs: RECOVERED_WITHIN_MS,
  onRound: ({ round, name, tookMs, faults }) => {
    note(`${round}: ${name}, ${fixed(tookMs / 1_000, 1)} s`);
    for (const fault of faults) note(`   ${fault}`);
  },
}).catch(async (error: unknown) => {
  await deployment.stop();
  throw error;
});
const codes = await deployment.stop();
report(
  `chaos: ${ROUNDS} rounds under ${found.acknowledged} acknowledged appends: ${found.faults.length} faults (promised: none)`,
  ['', 'rounds', 'median s', 'longest s'],
  [
    ...[...found.recoveredMs].map(([name, ms]) => [
      name,
      `${ms.length}`,
      fixed(median(ms) / 1_000, 1),
      fixed(Math.max(...ms) / 1_000, 1),
    ]),
    ['appends abandoned at their first failure', `${found.unknown}`, '', ''],
    ['sessions', `${found.sessions}`, '', ''],
    ['compactions', `${found.compactions}`, '', ''],
    ['exit codes at the end', codes.join(), '', ''],
  ],
);
if (found.faults.length > 0) process.exitCode = 1;
