/**
 * Attacks proof bundles by seed, in every way of the corpus, and verifies each with the three verifiers: Node, the code of the
 * page for browsers, and Python. Then verifies honest bundles, and measures a bundle of 10,000 events. Safety first: each attack
 * must be found by each verifier, with the right outcome, and no honest bundle may raise an alarm.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { verifyBundle } from '@app/proof';
import { ATTACK_NAMES, attackedProof, honestProof, largeProof, type ProofCase } from '@app/testing/proofs';
import { parsePolicy } from '@app/tlog';
import { build } from 'esbuild';
import { readInvocation } from './support/invocation.js';
import { Random } from './support/month/random.js';
import { fixed, note, report, whole } from './support/report.js';

const { quick } = readInvocation();
const ROOT = process.cwd();
const SEED = Number(process.env.PALIMPSEST_BENCH_SEED ?? Date.now() % 100_000);
const ATTACKS = quick ? 270 : 10_000;
const HONEST = quick ? 50 : 1_000;
const LARGE = quick ? 1_000 : 10_000;

type Verifier = { readonly name: string; verify(cases: readonly ProofCase[]): Promise<readonly string[]> };
type Api = { readonly verifyBundle: typeof verifyBundle; readonly parsePolicy: typeof parsePolicy };

const inProcess = (name: string, api: Api): Verifier => ({
  name,
  verify: async (cases) => {
    const outcomes: string[] = [];
    for (const { file, policy } of cases)
      outcomes.push((await api.verifyBundle(file, { policy: api.parsePolicy(policy) })).outcome);
    return outcomes;
  },
});

/** The verifier as the page has it: without Node. */
const pageApi = async (): Promise<Api> => {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    stdin: {
      contents: "export { verifyBundle } from '@app/proof'; export { parsePolicy } from '@app/tlog';",
      resolveDir: join(ROOT, 'apps/verifier/src'),
      loader: 'ts',
    },
    tsconfig: 'apps/verifier/tsconfig.json',
    alias: { 'node:crypto': join(ROOT, 'apps/verifier/src/node-crypto.ts') },
    ...{ bundle: true, format: 'esm', platform: 'browser', target: ['es2022'], write: false },
  });
  const [code] = outputFiles;
  return import(`data:text/javascript;base64,${Buffer.from(code?.contents ?? []).toString('base64')}`);
};

const PYTHON = `
import base64, json, sys
from verify_proof import verify
for line in sys.stdin:
    case = json.loads(line)
    print(verify(base64.b64decode(case["file"]), case["policy"])[0])
`;
const python: Verifier = {
  name: 'Python',
  verify: async (cases) => {
    const input = cases
      .map(({ file, policy }) => JSON.stringify({ file: Buffer.from(file).toString('base64'), policy }))
      .join('\n');
    const cwd = join(ROOT, 'libs/proof/python');
    const done = spawnSync('python3', ['-B', '-c', PYTHON], { cwd, input, maxBuffer: 1e9 });
    if (done.status !== 0) throw new Error(String(done.stderr));
    return String(done.stdout).trimEnd().split('\n');
  },
};

note(`seed ${SEED}`);
const verifiers = [
  inProcess('Node', { verifyBundle, parsePolicy }),
  inProcess('browser', await pageApi()),
  python,
];
const missed = new Map(verifiers.map(({ name }) => [name, 0]));
const PORTION = 500;
const examine = async (count: number, make: (at: number) => ProofCase): Promise<void> => {
  for (let from = 0; from < count; from += PORTION) {
    const cases = Array.from({ length: Math.min(PORTION, count - from) }, (_, at) => make(from + at));
    for (const { name, verify } of verifiers) {
      const outcomes = await verify(cases);
      for (const [at, one] of cases.entries()) {
        const outcome = outcomes[at] ?? 'none';
        if (one.outcomes.includes(outcome)) continue;
        missed.set(name, (missed.get(name) ?? 0) + 1);
        note(`${name}: ${one.name}, number ${from + at}: ${outcome}, not ${one.outcomes.join(' or ')}`);
      }
    }
    note(`${Math.min(count, from + PORTION)} of ${count}`);
  }
};
await examine(ATTACKS, (at) =>
  attackedProof(ATTACK_NAMES[at % ATTACK_NAMES.length] ?? '', new Random(SEED * 100_000 + at)),
);
await examine(HONEST, (at) => honestProof(new Random(SEED * 100_000 + ATTACKS + at)));
const rows: string[][] = [];
const large = largeProof(new Random(SEED), LARGE);
for (const { name, verify } of verifiers) {
  const start = performance.now();
  const [outcome] = await verify([large]);
  const seconds = (performance.now() - start) / 1_000;
  const wrong = (missed.get(name) ?? 0) + (outcome === 'valid' ? 0 : 1);
  rows.push([name, whole(wrong), fixed(seconds)]);
}
const wrong = [...missed.values()].reduce((sum, count) => sum + count, 0);
report(
  `attacks: ${whole(ATTACKS)} of ${ATTACK_NAMES.length} kinds and ${whole(HONEST)} honest bundles, ${wrong} wrong verdicts (promised: none)`,
  ['verifier', 'wrong verdicts', `seconds for ${whole(LARGE)} events (promised: 1 in Node, 3 in a browser)`],
  rows,
);
if (wrong > 0 || rows.some(([, count]) => count !== '0')) process.exitCode = 1;
