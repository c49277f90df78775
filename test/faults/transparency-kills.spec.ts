import { type VerifiedHead, verifyBundle } from '@app/proof';
import { acceptedCheckpoint, parseNote, parsePolicy } from '@app/tlog';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Deployment } from '../support/deployments/deployment.js';
import { startEmbedded } from '../support/deployments/embedded.js';

/** Guarantee: after `kill -9` the log goes on from its last signed head, and never forks; both of its keys sign. */
describe('the transparency log under kill -9, with a second signature by ML-DSA-44', () => {
  const KILLS = 3;
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await startEmbedded({ PALIMPSEST_LOG_ML_DSA: 'on' });
  });
  afterAll(() => deployment.stop());

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

  it('continues every head that was published before', async () => {
    await call('POST', '/v1/sessions', { session: 's', model: 'claude-opus-4-6' });
    const heads: VerifiedHead[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      await append(`Before ${kill}`);
      const { outcome, head } = await verified([]);
      expect(outcome).toBe('valid');
      if (head) heads.push(head);
      // These are recorded or not; the log has each of them once or not at all.
      const last = Promise.allSettled(Array.from({ length: 20 }, (_, at) => append(`While ${kill}.${at}`)));
      await deployment.kill('api');
      await last;
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
