/**
 * Sends SIGKILL to api, worker, event store and PostgreSQL, as separate processes, at random moments under load.
 * Measures consistency instead of speed: everything reported to clients holds in the log, in the rows, and for stream
 * readers.
 */
import { killUnderLoad, startInProcesses } from '@app/deployments';
import { OTHER_EVENT_STORE, readInvocation } from './support/invocation.js';
import { fixed, note, report } from './support/report.js';
import { median } from './support/rounds.js';

const { quick } = readInvocation();
const SEED = Number(process.env.PALIMPSEST_BENCH_SEED ?? Date.now() % 100_000);
const KILLS = Number(process.env.PALIMPSEST_BENCH_KILLS ?? (quick ? 4 : 30));

note(`seed ${SEED}`);
const deployment = await startInProcesses(
  { PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true' },
  OTHER_EVENT_STORE ? { eventStoreUrl: OTHER_EVENT_STORE } : {},
);
const found = await killUnderLoad(deployment, {
  kills: KILLS,
  seed: SEED,
  tenants: 4,
  agents: 4,
  onKill: (part, number) => note(`kill ${number}: ${part}`),
}).catch(async (error: unknown) => {
  await deployment.stop();
  throw error;
});
for (const fault of found.faults) note(fault);
for (const [code, count] of found.outages) note(`${count} × ${code}`);
const codes = await deployment.stop();
report(
  `kill: ${KILLS} kills under ${found.acknowledged} acknowledged appends: ${found.faults.length} false reports (promised: none)`,
  ['', 'value'],
  [
    ...[...found.kills].map(([part, count]) => [`kills of ${part}`, `${count}`]),
    ['appends abandoned at their first failure', `${found.unknown}`],
    ['sessions', `${found.sessions}`],
    ['compactions', `${found.compactions}`],
    ['exited unexpectedly', `${deployment.unexpectedExits.length}`],
    ['exit codes at the end', codes.join()],
    ['from a kill to the next acknowledged append, s, median', fixed(median(found.recoveredMs) / 1_000, 1)],
    ['longest', fixed(Math.max(...found.recoveredMs) / 1_000, 1)],
  ],
);
if (found.faults.length > 0) process.exitCode = 1;
