/**
 * `kill -9` of api, worker, event store and PostgreSQL, each a process of its own, at random moments under load. What is
 * promised is no speed: what clients were told is so, in the log, in the rows, and by whoever listened.
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
  `kill: ${KILLS} kills under ${found.acknowledged} acknowledged appends: ${found.faults.length} lies (promised: none)`,
  ['', 'value'],
  [
    ...[...found.kills].map(([part, count]) => [`kills of ${part}`, `${count}`]),
    ['appends given up at the first failure', `${found.unknown}`],
    ['sessions', `${found.sessions}`],
    ['compactions', `${found.compactions}`],
    ['ended by themselves', `${deployment.endedByThemselves}`],
    ['exit codes at the end', codes.join()],
    ['from a kill to the next acknowledged append, s, median', fixed(median(found.recoveredMs) / 1_000, 1)],
    ['longest', fixed(Math.max(...found.recoveredMs) / 1_000, 1)],
  ],
);
if (found.faults.length > 0) process.exitCode = 1;
