/**
 * Erases one of a thousand subjects, whose content is in fifty sessions and quoted by summaries, forks and children, while the service
 * is killed. Measures completeness besides time: no byte of the data folder has the subject's texts afterwards, everything
 * else reads as before, and proofs hold.
 */
import { join } from 'node:path';
import { eraseAmongMany, filesWith, startEmbedded } from '@app/deployments';
import { verifyBundle } from '@app/proof';
import { readInvocation } from './support/invocation.js';
import { fixed, note, report } from './support/report.js';

const { quick, folder } = readInvocation();
const SEED = Number(process.env.PALIMPSEST_BENCH_SEED ?? Date.now() % 100_000);
const OPTIONS = quick
  ? { seed: SEED, subjects: 60, sessions: 12, kills: 2, verify: verifyBundle }
  : { seed: SEED, subjects: 1_000, sessions: 100, kills: 10, verify: verifyBundle };

note(`seed ${SEED}`);
const data = join(folder, 'data');
const deployment = await startEmbedded({ PALIMPSEST_DATA: data });
const found = await eraseAmongMany(deployment, OPTIONS).finally(() => deployment.stop());
const files = Object.values(await filesWith(data, [found.secret])).flat();
const faults = [...found.faults, ...files.map((file) => `${file} has the secret`)];
for (const fault of faults) note(fault);
report(
  `erasure: one of ${OPTIONS.subjects} subjects, ${found.kills} kills meanwhile: ${faults.length} faults (promised: none)`,
  ['', 'value'],
  [
    ['sessions with content of the subject', `${found.sessions}`],
    ['destroyed keys', `${found.keys}`],
    ['kills before the receipt', `${found.kills}`],
    ['from the request to the receipt, restarts included, s', fixed(found.seconds, 1)],
  ],
);
if (faults.length > 0) process.exitCode = 1;
