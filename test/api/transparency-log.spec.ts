import { verifyBundle } from '@app/proof';
import { decodeBundle, decodeTile, leafHash, openCheckpoint, parsePolicy, rootOf } from '@app/tlog';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiServer } from './support/api-server.js';

/** Guarantee: what was recorded can be proved to others, by standard formats and by a file alone. */
describe('transparency log', () => {
  let api: ApiServer;
  beforeAll(async () => {
    api = await ApiServer.start();
    await api.call('POST', '/v1/sessions', { session: 's', model: 'claude-opus-4-6', system: 'Be brief.' });
    for (const text of ['Zwiebelfisch', 'Kabeljau']) {
      await api.call('POST', '/v1/sessions/s/messages', { messages: [{ role: 'user', content: text }] });
      await api.call('POST', '/v1/sessions/s/compose', {});
    }
  });
  afterAll(() => api.stop());

  const proof = async (query = ''): Promise<string> => {
    const { status, body } = await api.call('GET', `/v1/sessions/s/proof${query}`);
    expect(status).toBe(200);
    return String(body);
  };
  const verified = (text: string, options = {}) => verifyBundle(Buffer.from(text), options);

  it('proves a session with its text, and without it', async () => {
    const [clear, sealed] = [await proof(), await proof('?content=sealed')];
    expect(await verified(clear)).toMatchObject({ outcome: 'valid', faults: [], trust: 'file' });
    expect(await verified(sealed)).toMatchObject({ outcome: 'valid', faults: [], trust: 'file' });
    expect(clear).toContain('Zwiebelfisch');
    expect(sealed).not.toContain('Zwiebelfisch');
  });

  it('finds a changed word, a missing event, and a file that was cut', async () => {
    const clear = await proof();
    expect(await verified(clear.replace('Zwiebelfisch', 'Zwiebelfosch'))).toMatchObject({
      outcome: 'invalid',
    });
    const lines = clear.split('\n');
    expect(await verified(lines.toSpliced(-4, 1).join('\n'))).toMatchObject({ outcome: 'invalid' });
    expect(await verified(`${lines.slice(0, -4).join('\n')}\n`)).toMatchObject({ outcome: 'incomplete' });
    expect(await verified('{}\n')).toMatchObject({ outcome: 'malformed' });
  });

  it('trusts the keys of a policy only, and compares with a remembered head', async () => {
    const first = await verified(await proof());
    const policy = parsePolicy(`log ${first.head?.keys[0]}\nquorum none\n`);
    expect(await verified(await proof(), { policy })).toMatchObject({ outcome: 'valid', trust: 'policy' });
    const none = parsePolicy('quorum none\n');
    expect(await verified(await proof(), { policy: none })).toMatchObject({ outcome: 'unknown-key' });

    await api.call('POST', '/v1/sessions/s/messages', { messages: [{ role: 'user', content: 'More.' }] });
    const remembered = first.head ? [first.head] : [];
    expect(await verified(await proof(), { remembered })).toMatchObject({ outcome: 'incomplete' });
    const since = await proof(`?since=${first.head?.size}`);
    expect(await verified(since, { remembered })).toMatchObject({ outcome: 'valid', trust: 'remembered' });
    const root = Buffer.alloc(32).toString('base64');
    const other = remembered.map((head) => ({ ...head, root }));
    expect(await verified(since, { remembered: other })).toMatchObject({ outcome: 'invalid' });
  });

  it('is served as tiles under a signed checkpoint', async () => {
    const { manifest, head } = await verified(await proof());
    const note = String((await api.call('GET', '/v1/log/checkpoint')).body);
    const { logs } = parsePolicy(`log ${head?.keys[0]}\nquorum none\n`);
    const keys = logs.map(({ key }) => key);
    const { checkpoint } = openCheckpoint(note, manifest?.origin ?? '', keys);
    const width = checkpoint.size;
    const place = { level: 0, index: 0, width };
    const bytes = async (path: string) => {
      const answer = await fetch(`${api.url}/v1/log/tile/${path}`, {
        headers: api.authorization,
      });
      return new Uint8Array(await answer.arrayBuffer());
    };
    const tile = decodeTile(place, await bytes(`0/000.p/${width}`));
    expect(rootOf(tile.hashes)).toEqual(checkpoint.root);
    const entries = decodeBundle(await bytes(`entries/000.p/${width}`), width);
    expect(entries.map(leafHash)).toEqual(tile.hashes);
    expect(Buffer.concat(entries).toString()).not.toContain('Zwiebelfisch');
    expect((await api.call('GET', '/v1/log/tile/0/001')).status).toBe(404);
    expect((await api.call('GET', '/v1/log/tile/0/000.p/999')).status).toBe(404);
  });

  it('refuses text without the permission to read it', async () => {
    const { body } = await api.call('POST', '/v1/keys', { role: 'auditor', label: 'auditor' });
    const { key } = Object(body);
    const asAuditor = { authorization: `Bearer ${key}` };
    expect(await api.call('GET', '/v1/sessions/s/proof', undefined, asAuditor)).toMatchObject({
      ...{ status: 403, body: { code: 'content-forbidden' } },
    });
    const sealed = await api.call('GET', '/v1/sessions/s/proof?content=sealed', undefined, asAuditor);
    expect(await verified(String(sealed.body))).toMatchObject({ outcome: 'valid' });
    expect(await api.call('GET', '/v1/sessions/nobody/proof')).toMatchObject({ status: 404 });
  });
});
