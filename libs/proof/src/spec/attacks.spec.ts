import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { verifyBundle } from '@app/proof';
import { ATTACK_NAMES, attackedProof, honestProof, type ProofCase } from '@app/testing/proofs';
import { parsePolicy } from '@app/tlog';
import { describe, expect, it } from '@jest/globals';
import { Random } from '../../../../test/support/random.js';

const PYTHON = fileURLToPath(new URL('../../python', import.meta.url));
/** Verifies files from the standard input, one JSON line each, and prints their outcomes. */
const READ_ALL = `
import base64, json, sys
from verify_proof import verify
for line in sys.stdin:
    case = json.loads(line)
    print(verify(base64.b64decode(case["file"]), case["policy"])[0])
`;

const outcomesInPython = (cases: readonly ProofCase[]): readonly string[] => {
  const input = cases
    .map(({ file, policy }) => JSON.stringify({ file: Buffer.from(file).toString('base64'), policy }))
    .join('\n');
  const done = spawnSync('python3', ['-B', '-c', READ_ALL], { cwd: PYTHON, input, maxBuffer: 1e9 });
  expect(String(done.stderr)).toBe('');
  return String(done.stdout).trimEnd().split('\n');
};
const outcomeOf = async ({ file, policy }: ProofCase): Promise<string> =>
  (await verifyBundle(file, { policy: parsePolicy(policy) })).outcome;

/** Guarantee: two verifiers without common code find every attack, agree on it, and raise no false alarm. */
describe('proof bundles', () => {
  /** A thousand in all. */
  const PER_ATTACK = 33;
  /** Python takes some milliseconds for a signature. */
  const PER_PYTHON = 9;

  it('are valid if they are honest: rotated, erased, sealed, interleaved', async () => {
    const cases = Array.from({ length: 60 }, (_, seed) => honestProof(new Random(seed)));
    expect(await Promise.all(cases.map(outcomeOf))).toEqual(cases.map(() => 'valid'));
    expect(outcomesInPython(cases)).toEqual(cases.map(() => 'valid'));
  });

  it('are found in every attack, with the same outcome by both verifiers', async () => {
    const cases = ATTACK_NAMES.flatMap((name, at) =>
      Array.from({ length: PER_ATTACK }, async (_, seed) => {
        const attacked = attackedProof(name, new Random(at * 1_000 + seed));
        return { ...attacked, seed, outcome: await outcomeOf(attacked) };
      }),
    );
    const judged = await Promise.all(cases);
    for (const { name, seed, outcome, outcomes } of judged)
      expect([name, seed, outcomes]).toEqual([name, seed, expect.arrayContaining([outcome])]);
    const again = judged.filter(({ seed }) => seed < PER_PYTHON);
    expect(outcomesInPython(again)).toEqual(again.map(({ outcome }) => outcome));
  });
});
