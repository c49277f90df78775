import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { verifyBundle } from '@app/proof';
import {
  cosignersOf,
  decodeBundle,
  decodeTile,
  formatVerifierKey,
  leafHash,
  openCheckpoint,
  parseNote,
  parsePolicy,
  parseVerifierKey,
  rootOf,
  signerKey,
  withCosignatures,
} from '@app/tlog';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  addCheckpoint,
  checkpointText,
  isSignedBy,
  proofOfGrowth,
  rootOfEntries,
  signatureLine,
  signerOf,
  verifierOf,
} from '../support/c2sp.js';
import { ApiServer } from './support/api-server.js';
import { FakeWitness } from './support/fake-witness.js';

const OTHER_LOG = signerOf('example.com/other-log', 'log', new Uint8Array(32).fill(9));

/** Guarantee: recorded events can be proved to others, by standard formats and by a file alone. */
describe('transparency log', () => {
  let api: ApiServer;
  let first: FakeWitness;
  let second: FakeWitness;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transparency-log-'));
    first = await FakeWitness.start('first', 'ed25519-cosignature', 1);
    second = await FakeWitness.start('second', 'ml-dsa-44-cosignature', 2);
    const witnesses = join(folder, 'witnesses.policy');
    await writeFile(
      witnesses,
      `# ours\n${first.line}\n${second.line}\ngroup one any first second\nquorum none\n`,
    );
    const logs = join(folder, 'logs.policy');
    await writeFile(logs, `log ${OTHER_LOG.vkey}\nquorum none\n`);
    api = await ApiServer.start({
      PALIMPSEST_LOG_ML_DSA: 'on',
      PALIMPSEST_WITNESSES: witnesses,
      PALIMPSEST_WITNESS_LOGS: logs,
      PALIMPSEST_WITNESS_NAME: 'witness.example.com/w1',
    });
    await api.call('POST', '/v1/sessions', { session: 's', model: 'claude-opus-4-6', system: 'Be brief.' });
    for (const text of ['Zwiebelfisch', 'Kabeljau']) {
      await api.call('POST', '/v1/sessions/s/messages', { messages: [{ role: 'user', content: text }] });
      await api.call('POST', '/v1/sessions/s/compose', {});
    }
  });
  afterAll(async () => {
    await api.stop();
    await first.stop();
    await second.stop();
    await rm(folder, { recursive: true });
  });

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

  type Witnesses = {
    readonly size: number;
    readonly witnesses: readonly {
      readonly name: string;
      readonly size: number;
      readonly cosignedAt: string;
      readonly problem: string;
      readonly failingSince: string;
    }[];
  };
  /** The witnesses of the log, once the condition holds. */
  const witnessesWhen = async (isSo: (found: Witnesses) => boolean): Promise<Witnesses> => {
    for (;;) {
      const { status, body } = await api.call('GET', '/v1/log/witnesses');
      expect(status).toBe(200);
      if (isSo(body as Witnesses)) return body as Witnesses;
      await pause(50);
    }
  };
  const append = (content: string) =>
    api.call('POST', '/v1/sessions/s/messages', { messages: [{ role: 'user', content }] });

  it('has its checkpoints cosigned by witnesses while another witness fails', async () => {
    const unknown = await witnessesWhen(({ witnesses }) =>
      witnesses.every(({ problem }) => problem !== null),
    );
    expect(unknown.witnesses.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('status 404'),
      expect.stringContaining('status 404'),
    ]);
    const { head, manifest } = await verified(await proof());
    const key = head?.keys[0] ?? '';
    for (const witness of [first, second]) witness.trust(manifest?.origin ?? '', key);
    // The log goes on, and has its proofs, while no witness cosigns.
    await append('Before the witnesses.');
    const grown = (await verified(await proof())).head?.size ?? 0;
    const cosigned = await witnessesWhen(({ witnesses }) => witnesses.every(({ size }) => size >= grown));
    expect(cosigned.witnesses.map(({ problem }) => problem)).toEqual([null, null]);
    const cosignedBy = async (quorum: number) => {
      const answer = await api.call('GET', `/v1/log/checkpoint?quorum=${quorum}`);
      return { status: answer.status, body: answer.body };
    };
    expect(await cosignedBy(3)).toMatchObject({ status: 404, body: { code: 'log-not-found' } });

    const note = parseNote(String((await cosignedBy(2)).body));
    // The newest one: the second line of a checkpoint is its size.
    expect(Number(note.text.split('\n')[1])).toBeGreaterThanOrEqual(grown);
    const lines = [first.line, second.line].map((line) => line.replace(/ http.*/, ''));
    const policy = parsePolicy(`log ${key}\n${lines.join('\n')}\ngroup both all first second\nquorum both\n`);
    expect([...cosignersOf(note, policy).keys()]).toEqual(['first', 'second']);
    expect(await verified(await proof(), { policy })).toMatchObject({
      ...{ outcome: 'valid', witnesses: ['first', 'second'], missingWitnesses: [], quorum: 'met' },
    });

    second.mood = 'garbage';
    const newest = await cosignedBy(2);
    await append('One is odd.');
    const odd = await witnessesWhen(
      ({ size, witnesses: [one, other] }) => one?.size === size && other?.problem !== null,
    );
    expect(odd.witnesses[1]?.problem).toBe('its answer is no cosignature');
    // The newest checkpoint has one cosignature: an older one is the newest with two.
    expect(await cosignedBy(2)).toEqual(newest);
    const { body: cosignedOnce } = await cosignedBy(1);
    expect(parseNote(String(cosignedOnce)).signatures.map(({ name }) => name)).toEqual([
      ...[manifest?.origin, manifest?.origin, 'first'],
    ]);
    const health = (headers: Record<string, string> = {}) => api.call('GET', '/health', undefined, headers);
    const working = { logsBehind: expect.any(Number), logsFailing: 0, problem: null, failingSince: null };
    expect(Object((await health()).body).witnesses).toEqual([
      { name: 'first', cosignedAt: expect.any(String), ...working },
      {
        ...{ name: 'second', cosignedAt: expect.any(String), logsBehind: 1, logsFailing: 1 },
        ...{ problem: 'its answer is no cosignature', failingSince: odd.witnesses[1]?.failingSince },
      },
    ]);
    // A client behind a proxy is no operator.
    expect((await health({ 'x-forwarded-for': '203.0.113.9' })).body).not.toHaveProperty('witnesses');
    // The log may have grown since.
    const { head: odder } = await verified(await proof());
    await witnessesWhen(({ witnesses: [one] }) => (one?.size ?? 0) >= (odder?.size ?? 0));
    expect(await verified(await proof(), { policy })).toMatchObject({
      outcome: 'incomplete',
      ...{ witnesses: ['first'], missingWitnesses: ['second'], quorum: 'not-met' },
      faults: [{ step: 'signatures', detail: expect.stringContaining('missing: second') }],
    });
  });

  it('retries a witness that has lost its state, and reports one that is ahead or lies', async () => {
    first.mood = 'forgetful';
    const asked = first.oldSizes.length;
    const before = await witnessesWhen(() => true);
    await append('Once more.');
    await witnessesWhen(({ size, witnesses: [one] }) => size > before.size && one?.size === size);
    expect(first.statuses).toContain(409);
    expect(first.oldSizes.slice(asked)).toContain(0);
    for (const [mood, problem] of [
      ['ahead', 'older backup, which `restore --new-logs` mends'],
      ['lying', 'its cosignature does not verify'],
    ] as const) {
      first.mood = mood;
      await append(`It is ${mood}.`);
      const { witnesses } = await witnessesWhen(
        ({ witnesses: [one] }) => one?.problem?.includes(problem) === true,
      );
      expect(witnesses[0]?.problem).toContain(problem);
    }
    expect(await verified(await proof())).toMatchObject({ outcome: 'valid' });
    const { body } = await api.call('GET', '/metrics');
    expect(String(body)).toContain('palimpsest_witness_logs{witness="first",state="failing"} 1');
  });

  it('is a witness for the logs of others, which never goes back', async () => {
    // A client that shares no code with the product.
    const entries = Array.from({ length: 9 }, (_, at) => String(at));
    const noteOf = (size: number, root = rootOfEntries(entries.slice(0, size)), signer = OTHER_LOG) => {
      const text = checkpointText(OTHER_LOG.name, { size, root });
      return `${text}\n${signatureLine(text, signer)}`;
    };
    const bodyOf = (oldSize: number, size: number, note = noteOf(size)) =>
      addCheckpoint(oldSize, proofOfGrowth(oldSize, entries.slice(0, size)), note);
    const post = async (body: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${api.url}/witness/add-checkpoint`, { method: 'POST', body, headers });
      return { status: answer.status, type: answer.headers.get('content-type'), body: await answer.text() };
    };
    const listed = await fetch(`${api.url}/witness`);
    const vkeys = (await listed.text()).trimEnd().split('\n');
    const keys = vkeys.map(parseVerifierKey);
    expect(keys.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'witness.example.com/w1 ed25519-cosignature',
      'witness.example.com/w1 ml-dsa-44-cosignature',
    ]);
    const cosigned = await post(bodyOf(0, 5));
    expect(cosigned.status).toBe(200);
    const text = noteOf(5).split('\n\n')[0];
    expect(isSignedBy(`${text}\n`, cosigned.body, verifierOf(vkeys[0] ?? ''))).toBe(true);
    expect(withCosignatures(parseNote(noteOf(5)), cosigned.body, keys).added).toHaveLength(2);
    expect(await post(bodyOf(0, 9))).toEqual({ status: 409, type: 'text/x.tlog.size', body: '5\n' });
    // Of requests at once about one log, one is answered; the others learn the size.
    const raced = await Promise.all([6, 7, 8, 9].map((size) => post(bodyOf(5, size))));
    expect(raced.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const size = 6 + raced.findIndex(({ status }) => status === 200);
    expect((await post(bodyOf(size, size, noteOf(size, Buffer.alloc(32, 1))))).status).toBe(422);
    expect((await post(bodyOf(0, 5).replace(OTHER_LOG.name, 'example.com/unknown'))).status).toBe(404);
    expect((await post('old 5')).status).toBe(400);
    const stranger = signerOf(OTHER_LOG.name, 'log', new Uint8Array(32).fill(8));
    const theirs = noteOf(9, rootOfEntries(entries), stranger);
    expect((await post(bodyOf(size, 9, theirs))).status).toBe(403);
    expect((await post('x'.repeat(70_000))).status).toBe(413);
    const hash = createHash('sha256').update(OTHER_LOG.name).digest('hex');
    const latest = await fetch(`${api.url}/witness/${hash}/checkpoint`);
    const { verified: logKeys, note } = openCheckpoint(await latest.text(), OTHER_LOG.name, [
      parseVerifierKey(OTHER_LOG.vkey),
    ]);
    expect([logKeys.length, note.signatures.length]).toEqual([1, 3]);
    expect((await fetch(`${api.url}/witness/${hash.replace(/./g, '0')}/checkpoint`)).status).toBe(404);
    const many = await Promise.all(Array.from({ length: 60 }, () => post('old 0')));
    expect(many.map(({ status }) => status)).toContain(429);
  });

  it('is trusted by its key for ML-DSA-44 alone, and leaves an audit row where its keys change', async () => {
    const { body } = await api.call('POST', '/v1/log/rotate-key');
    const { keys } = Object(body) as { keys: readonly string[] };
    expect(keys.map((key) => parseVerifierKey(key).type)).toEqual(['ed25519', 'ml-dsa-44-cosignature']);
    const policy = parsePolicy(`log ${keys[1]}\nquorum none\n`);
    const report = await verified(await proof(), { policy });
    expect(report).toMatchObject({ outcome: 'valid', trust: 'policy', faults: [] });
    const other = signerKey(report.head?.origin ?? '', 'ml-dsa-44-cosignature', new Uint8Array(32).fill(4));
    const stranger = parsePolicy(`log ${formatVerifierKey(other)}\nquorum none\n`);
    expect(await verified(await proof(), { policy: stranger })).toMatchObject({ outcome: 'unknown-key' });
    for (;;) {
      const { items } = Object((await api.call('GET', '/v1/audit?type=LogKeyRotated')).body) as {
        items: object[];
      };
      if (items.length > 0) {
        expect(items).toMatchObject([{ actor: 'key:bootstrap', payload: { keys } }]);
        break;
      }
      await pause(50);
    }
  });
});
