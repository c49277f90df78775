import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type VerifiedHead, verifyBundle } from '@app/proof';
import {
  acceptedCheckpoint,
  consistencyProof,
  formatAddCheckpoint,
  formatCheckpoint,
  formatVerifierKey,
  hashesOf,
  leafHash,
  parseNote,
  parsePolicy,
  rootOf,
  type SignerKey,
  signerKey,
  signText,
} from '@app/tlog';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Deployment } from '../support/deployments/deployment.js';
import { startEmbedded } from '../support/deployments/embedded.js';

const KILLS = 3;
/** Logs that show two trees, which are equal up to this size. */
const COMMON = 5;
const FORKED = Array.from({ length: KILLS }, (_, at) =>
  signerKey(`example.com/forked-${at}`, 'ed25519', new Uint8Array(32).fill(at + 1)),
);
type Branch = 'left' | 'right';
const BRANCHES = ['left', 'right'] as const;
const leavesOf = (branch: Branch) =>
  Array.from({ length: 100 }, (_, at) => leafHash(Buffer.from(at < COMMON ? `${at}` : `${branch} ${at}`)));

/** A request of a log to its witness. */
const addCheckpoint = (log: SignerKey, branch: Branch, oldSize: number, size: number): string => {
  const leaves = leavesOf(branch);
  const text = formatCheckpoint({ origin: log.name, size, root: rootOf(leaves.slice(0, size)) });
  const note = { text, signatures: [signText(text, log)] };
  return formatAddCheckpoint({ oldSize, proof: consistencyProof(oldSize, size, hashesOf(leaves)), note });
};

/** Guarantee: after `kill -9` the log goes on from its last signed head, and never forks; both of its keys sign. */
describe('the transparency log under kill -9, with a second signature by ML-DSA-44', () => {
  let deployment: Deployment;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transparency-kills-'));
    const logs = join(folder, 'logs.policy');
    await writeFile(logs, `${FORKED.map((log) => `log ${formatVerifierKey(log)}\n`).join('')}quorum none\n`);
    deployment = await startEmbedded({
      PALIMPSEST_LOG_ML_DSA: 'on',
      PALIMPSEST_WITNESS_LOGS: logs,
      PALIMPSEST_WITNESS_NAME: 'witness.example.com/w1',
    });
  });
  afterAll(async () => {
    await deployment.stop();
    await rm(folder, { recursive: true });
  });

  const call = async (method: string, path: string, body?: unknown): Promise<string> => {
    const answer = await fetch(`${deployment.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${deployment.adminKey}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.text();
  };
  const append = (content: string): Promise<string> =>
    call('POST', '/v1/sessions/s/messages', { messages: [{ role: 'user', content }] });
  const verified = async (remembered: readonly VerifiedHead[]) => {
    const [head] = remembered;
    const since = head ? `?since=${head.size}` : '';
    return verifyBundle(Buffer.from(await call('GET', `/v1/sessions/s/proof${since}`)), { remembered });
  };

  /** Returns the answer of the witness; `undefined` if it was killed before. */
  const submit = async (body: string) => {
    try {
      const answer = await fetch(`${deployment.url}/witness/add-checkpoint`, { method: 'POST', body });
      return { status: answer.status, body: await answer.text() };
    } catch {
      return undefined;
    }
  };
  /** Submits larger and larger trees of a branch until the witness refuses it or is killed; returns the largest cosigned size. */
  const grow = async (log: SignerKey, branch: Branch): Promise<number> => {
    let [at, cosigned] = [COMMON, 0];
    for (;;) {
      const answer = await submit(addCheckpoint(log, branch, at, at + 1));
      if (answer?.status === 409) at = Number(answer.body);
      else if (answer?.status !== 200) return cosigned;
      else {
        at += 1;
        cosigned = at;
      }
    }
  };
  /** Shows the witness both trees of a log while it is killed, and checks that it knows one of them alone afterwards. */
  const shownTwoTrees = async (log: SignerKey): Promise<() => Promise<void>> => {
    expect(await submit(addCheckpoint(log, 'left', 0, COMMON))).toMatchObject({ status: 200 });
    const growing = BRANCHES.map((branch) => grow(log, branch));
    return async () => {
      const cosigned = await Promise.all(growing);
      expect(cosigned).toContain(0);
      const size = Number((await submit(addCheckpoint(log, 'left', 0, COMMON)))?.body);
      expect(size).toBeGreaterThanOrEqual(Math.max(COMMON, ...cosigned));
      const statuses: number[] = [];
      for (const branch of BRANCHES)
        statuses.push((await submit(addCheckpoint(log, branch, size, size + 1)))?.status ?? 0);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      for (const [at, status] of statuses.entries())
        if (cosigned[at] !== 0) expect([BRANCHES[at], status]).toEqual([BRANCHES[at], 200]);
    };
  };

  it('continues every head that was published before, and cosigns no two trees of another log', async () => {
    const witness = await call('GET', '/witness');
    await call('POST', '/v1/sessions', { session: 's', model: 'claude-opus-4-6' });
    const heads: VerifiedHead[] = [];
    for (const [kill, log] of FORKED.entries()) {
      await append(`Before ${kill}`);
      const { outcome, head } = await verified([]);
      expect(outcome).toBe('valid');
      if (head) heads.push(head);
      // These are recorded or not; the log has each of them once or not at all.
      const last = Promise.allSettled(Array.from({ length: 20 }, (_, at) => append(`While ${kill}.${at}`)));
      const afterKill = await shownTwoTrees(log);
      await deployment.kill('api');
      await last;
      await afterKill();
      expect(await call('GET', '/witness')).toBe(witness);
      await append(`After ${kill}`);
      for (const one of heads) expect(await verified([one])).toMatchObject({ outcome: 'valid', faults: [] });
    }
    expect(heads.map(({ size }) => size)).toEqual(
      [...new Set(heads.map(({ size }) => size))].sort((a, b) => a - b),
    );
  });

  it('is signed by each of the two keys, before and after their rotation', async () => {
    const signedBy = async (keys: readonly string[]) => {
      const note = await call('GET', '/v1/log/checkpoint');
      expect(parseNote(note).signatures).toHaveLength(2);
      for (const key of keys) acceptedCheckpoint(note, parsePolicy(`log ${key}\nquorum none\n`));
    };
    const first = await verified([]);
    expect(first.head?.keys).toHaveLength(2);
    await signedBy(first.head?.keys ?? []);
    const { keys } = JSON.parse(await call('POST', '/v1/log/rotate-key'));
    expect(keys).toHaveLength(2);
    await append('Signed by new keys');
    const policy = parsePolicy(`log ${first.head?.keys[1]}\nquorum none\n`);
    const bundle = Buffer.from(await call('GET', '/v1/sessions/s/proof'));
    expect(await verifyBundle(bundle, { policy })).toMatchObject({ outcome: 'valid', trust: 'policy' });
    await signedBy(keys);
  });
});
