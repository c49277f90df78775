import { createHash } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import { filesWith, filesWithDigest } from '@app/deployments';
import { canonicalJson, type Json } from '@app/kernel';
import { AnthropicServer, answer } from '@app/testing/providers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerWith, Receiver } from '../contract/webhooks/support/receiver.js';
import { runCli } from '../support/cli.js';
import { exportOf } from './gateway/support/sessions.js';
import { ApiServer, KEY } from './support/api-server.js';

type Body = Readonly<Record<string, unknown>>;
type Deliveries = { readonly items: readonly { readonly delivery: string }[] };
const MARKER = [{ type: 'text', text: '[erased]' }];
const PLANTED = ['cora-crane', 'gail-gray', 'ivan-ivory', 'hanna-hale', 'julie-jade'];
/** Texts whose digests would confirm a guess of them. */
const GUESSED: string[] = [];

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
/** Notes a message, in the forms that its ID could be a digest of. */
const guess = (role: string, text: string): void => {
  const said = [{ role, content: text }, [role, text], { role, blocks: [{ type: 'text', text }] }];
  GUESSED.push(text, ...said.map((one) => JSON.stringify(one)), ...said.map((one) => canonicalJson(one)));
};
/** Notes the first message of a history, whose digest the gateway could find the session by. */
const guessHistory = (session: string, text: string): void => {
  const seed = sha256(JSON.stringify(['anthropic', session]));
  GUESSED.push(`${seed} ${sha256(JSON.stringify(['user', text]))}`);
};
/** Notes a request, whose digest its idempotency key is kept with. */
const guessRequest = (path: string, body: Json): void => {
  const text = `POST\n${path}\n${canonicalJson(body)}`;
  GUESSED.push(canonicalJson(body), text, `default\n${text}`);
};

/** Guarantee: an erasure reaches each place that can hold content, not sessions alone. */
describe('erasure of a customer', () => {
  let provider: AnthropicServer;
  let receiver: Receiver;
  let api: ApiServer;
  let data: string;
  let snapshots: string;
  /** Sends a history to the gateway. */
  const ask = (messages: Anthropic.MessageParam[], headers = {}) =>
    new Anthropic({
      ...{ apiKey: 'p', baseURL: `${api.url}/gateway/anthropic`, maxRetries: 0 },
      defaultHeaders: { 'x-palimpsest-key': KEY, 'x-palimpsest-session': 'gw' },
    }).messages
      .stream({ model: 'claude-opus-4-6', max_tokens: 500, messages }, { headers })
      .finalMessage();
  const history: Anthropic.MessageParam[] = [];
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'palimpsest-places-'));
    snapshots = await mkdtemp(join(tmpdir(), 'palimpsest-heap-'));
    provider = await AnthropicServer.start();
    receiver = await Receiver.start();
    api = await start();
  });
  const start = () =>
    ApiServer.start({
      PALIMPSEST_DATA: data,
      PALIMPSEST_GATEWAY_ANTHROPIC: provider.url,
      PALIMPSEST_WEBHOOK_ALLOW_PRIVATE: 'true',
      NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${snapshots}`,
    });
  afterAll(async () => {
    await api.stop();
    await Promise.all([receiver.stop(), provider.close()]);
    await Promise.all([data, snapshots].map((folder) => rm(folder, { recursive: true, force: true })));
  });
  const ok = async (method: string, path: string, body?: unknown, headers = {}): Promise<Body> => {
    const answered = await api.call(method, path, body, headers);
    expect([path, answered.status < 300 || answered.body]).toEqual([path, true]);
    return answered.body as Body;
  };
  const read = async (path: string): Promise<string> => JSON.stringify((await api.call('GET', path)).body);
  const erase = async (subject: string): Promise<Body> => {
    const args = ['erase', '--subject', subject, '--reason', 'case 1', '--json'];
    const { exitCode, stdout, stderr } = await runCli([...args, '--url', api.url, '--api-key', KEY]);
    expect([exitCode, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };

  it('covers its sessions, reasons, blobs, undelivered webhooks and kept answers, from the command line', async () => {
    receiver.answering = answerWith(410);
    const hook = { url: receiver.url, types: ['MessageAppended', 'SessionClosed'], content: 'full' };
    const { webhookId } = await ok('POST', '/v1/webhooks', hook);
    await ok('POST', '/v1/sessions', {
      ...{ session: 'support-1', window: 2_000_000, customer: 'cora-crane', title: 'about cora-crane' },
      ...{ system: 'You serve cora-crane.', project: 'cora-crane', labels: { of: 'cora-crane' } },
    });
    const at = '/v1/sessions/support-1';
    const large = 'cora-crane wrote a long letter. '.repeat(80_000);
    await ok('POST', `${at}/messages`, { messages: [{ role: 'user', content: large }] });
    const dear = { messages: [{ role: 'assistant', content: 'Dear cora-crane' }] };
    await ok('POST', `${at}/messages`, dear, { 'idempotency-key': 'k0' });
    guess('user', large);
    guess('assistant', 'Dear cora-crane');
    guessRequest(`${at}/messages`, dear);
    await ok('PUT', `${at}/pins/rule`, { text: 'Letters of cora-crane matter' });
    await ok('POST', `${at}/defer`, { until: 'released', reason: 'cora-crane asked for it' });
    await ok('POST', `${at}/release`, { reason: 'cora-crane agreed' });
    const keyed = { 'idempotency-key': 'k1' };
    const composed = await ok('POST', `${at}/compose`, { withBody: true }, keyed);
    expect(JSON.stringify(composed)).toContain('cora-crane');
    const { body } = composed;
    GUESSED.push('You serve cora-crane.', 'cora-crane', String(body), 'Letters of cora-crane matter');
    GUESSED.push('about cora-crane', 'again about cora-crane'); // Titles, of which audit rows had digests.
    expect(sha256(String(body))).toBe(composed.digest);
    await ok('PATCH', `${at}/settings`, { title: 'again about cora-crane' });
    await ok('POST', `${at}/reset`, { reason: 'cora-crane began anew', confirm: true });
    await ok('POST', `${at}/close`, { reason: 'cora-crane left' });
    const deadLetters = async () =>
      (await ok('GET', `/v1/webhooks/${webhookId}/deliveries?state=dead`)) as Deliveries;
    while ((await deadLetters()).items.length === 0) await pause(20);
    expect(await read('/v1/audit?session=support-1')).toContain('cora-crane left');

    const { state, receipt } = await erase('cora-crane');
    expect([state, receipt]).toMatchObject([
      'completed',
      { counts: { keys: 1, sessions: 1, places: { 'write-ahead-log': 1 } } },
    ]);
    for (const path of [at, `${at}/events`, `${at}/context`, `${at}/export`, '/v1/sessions', '/v1/audit'])
      expect([path, (await read(path)).includes('cora-crane')]).toEqual([path, false]);
    const [first] = (await ok('GET', `${at}/messages`)).items as readonly Body[];
    for (const body of [first, await ok('GET', at), await ok('GET', `${at}/messages/${first?.id}`)])
      expect(body).toMatchObject({ erased: { by: expect.any(String), scope: 'subject' } });
    expect(await exportOf(api, 'support-1')).toMatchObject([{ content: MARKER }, { content: MARKER }]);
    expect(JSON.stringify(await api.call('POST', `${at}/compose`, { withBody: true }, keyed))).not.toContain(
      'cora-crane',
    );
    receiver.received.length = 0;
    receiver.answering = answerWith(204);
    for (const { delivery } of (await deadLetters()).items)
      await ok('POST', `/v1/webhooks/${webhookId}/deliveries/${delivery}/replay`, {});
    await receiver.until((received) => received.length > 0);
    for (const { text } of receiver.received) expect(text).not.toContain('cora-crane');
  });

  it('covers sessions of its gateway header, and an answer that comes after the erasure', async () => {
    let letGo = (): void => {};
    const until = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    provider.reply(answer('Dear gail-gray'), {
      ...answer('gail-gray lives at 12 Gray Street'),
      disturbance: { kind: 'gate', afterEvents: 2, until },
    });
    const first = [{ role: 'user' as const, content: 'I am gail-gray' }];
    guess('user', 'I am gail-gray');
    guess('assistant', 'Deargail-gray'); // White space in answers does not count.
    guessHistory('gw', 'I am gail-gray');
    const one = await ask(first, { 'x-palimpsest-customer': 'gail-gray' });
    const messages: Anthropic.MessageParam[] = [
      ...first,
      { role: 'assistant', content: one.content },
      { role: 'user', content: 'Where does gail-gray live?' },
    ];
    const asked = ask(messages);
    while (provider.requests.length < 2) await pause(20);
    await erase('gail-gray');
    letGo();
    const two = await asked;
    expect(two.content).toMatchObject([{ text: 'gail-gray lives at 12 Gray Street' }]);
    const known = [...messages, { role: 'assistant' as const, content: two.content }];
    provider.reply(answer('Bye.'));
    history.push(...known, { role: 'user', content: 'Thanks.' });
    await ask(history);
    expect((await exportOf(api, 'gw')).map(({ content }) => content)).toEqual([
      ...Array.from({ length: 4 }, () => MARKER),
      [{ type: 'text', text: 'Thanks.' }],
      [{ type: 'text', text: 'Bye.' }],
    ]);
    expect(await ok('GET', '/v1/sessions/gw/context')).toMatchObject({ violations: [] });
    // The customer comes back, and is erased again.
    await ask([{ role: 'user', content: 'gail-gray is back' }], { 'x-palimpsest-customer': 'gail-gray' });
    await erase('gail-gray');
  });

  it('is not undone by importing the same transcript again', async () => {
    const lines = [
      { role: 'user', content: 'I am ivan-ivory' },
      { role: 'assistant', content: 'Hello ivan-ivory' },
    ];
    const transcript = JSON.stringify({ messages: lines });
    guess('user', 'I am ivan-ivory');
    GUESSED.push(canonicalJson([[{ type: 'text', text: 'I am ivan-ivory' }]]));
    const path = '/v1/imports?name=imported&label=customer%3Divan-ivory';
    const headers = { 'content-type': 'application/octet-stream' };
    const { sessions } = await ok('POST', path, transcript, headers);
    const [{ session }] = sessions as readonly [{ readonly session: string }];
    expect(await read(`/v1/sessions/${session}/context`)).toContain('ivan-ivory');
    await erase('ivan-ivory');
    await ok('POST', path, transcript, headers);
    expect(await read(`/v1/sessions/${session}/export`)).not.toContain('ivan-ivory');
    expect(await exportOf(api, session)).toHaveLength(2);
  });

  it('leaves nothing in memory of any process', async () => {
    const processes = await nodeProcesses(data);
    expect(processes).toHaveLength(2); // Those of the API and of the background work.
    for (const pid of processes) process.kill(pid, 'SIGUSR2');
    const isWritten = async (pid: number): Promise<boolean> => {
      const name = (await readdir(snapshots)).find((file) => file.includes(`.${pid}.`));
      return name !== undefined && /\]\s*\}\s*$/.test(await endOf(join(snapshots, name)));
    };
    // A process that writes its snapshot cannot tell idle connections from those with a request, and closes both.
    const isAnswering = () =>
      api.call('GET', '/v1/erasures', undefined, { connection: 'close' }).catch(() => false);
    for (const pid of processes) {
      while (!(await isWritten(pid))) {
        await isAnswering();
        await pause(20);
      }
    }
    expect(await filesWith(snapshots, PLANTED)).toEqual({});
  });

  it('lets the next process recognize repeats', async () => {
    await ok('POST', '/v1/sessions', { session: 'repeats', window: 200_000, customer: 'hanna-hale' });
    const path = '/v1/sessions/repeats/messages';
    const said = { messages: [{ role: 'user', content: 'I am hanna-hale' }] };
    const keyed = { 'idempotency-key': 'k2' };
    await ok('POST', path, said, keyed);
    guess('user', 'I am hanna-hale');
    guessRequest(path, said);
    await erase('hanna-hale');
    // The client of an erased session goes on with its history, in this process and in the next one.
    const whole: Anthropic.MessageParam[] = [{ role: 'user', content: 'This is julie-jade' }];
    const goOn = async (said: string) => {
      provider.reply(answer(`Heard: ${said}`));
      const { content } = await ask(whole, { 'x-palimpsest-session': 'whole' });
      whole.push({ role: 'assistant', content }, { role: 'user', content: said });
    };
    await goOn('Go on.');
    guess('user', 'This is julie-jade');
    await ok('POST', '/v1/erasures', { session: 'whole', reason: 'case 2' });
    await goOn('And on.');
    await api.stop();
    api = await start();
    await goOn('To the end.');
    expect((await exportOf(api, 'whole')).map(({ content }) => content)).toEqual([
      ...[MARKER, MARKER],
      ...['Go on.', 'Heard: And on.', 'And on.', 'Heard: To the end.'].map((text) => [
        { type: 'text', text },
      ]),
    ]);
    const { items: sessions } = await ok('GET', '/v1/sessions');
    expect((sessions as Body[]).filter(({ session }) => String(session).startsWith('whole'))).toHaveLength(1);
    const repeated = await api.call('POST', path, said, keyed);
    expect([repeated.status, repeated.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(await api.call('POST', path, { messages: [] }, keyed)).toMatchObject({
      ...{ status: 422, body: { code: 'idempotency-key-reused' } },
    });
    expect(await ok('POST', path, said)).toMatchObject({ appended: 0, known: 1 });
    provider.reply(answer('Still there.'));
    history.push({ role: 'assistant', content: 'Bye.' }, { role: 'user', content: 'Are you there?' });
    await ask(history);
    expect((await exportOf(api, 'gw')).map(({ content }) => content)).toEqual([
      ...Array.from({ length: 6 }, () => MARKER),
      [{ type: 'text', text: 'Are you there?' }],
      [{ type: 'text', text: 'Still there.' }],
    ]);
  });

  it('leaves nothing on disk', async () => {
    await api.stop();
    expect(await filesWith(data, PLANTED)).toEqual({});
    expect(await filesWithDigest(data, GUESSED)).toEqual({});
  });
});

/** Returns the service's process and its children that write a snapshot of their heap at a signal. */
const nodeProcesses = async (folder: string): Promise<readonly number[]> => {
  const { pid } = JSON.parse(await readFile(join(folder, 'servers.json'), 'utf8')) as {
    readonly pid: number;
  };
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'))
    .trim()
    .split(' ')
    .map(Number);
  const found: number[] = [];
  for (const one of [pid, ...children]) {
    const [command, environment] = await Promise.all(
      ['cmdline', 'environ'].map((name) => readFile(`/proc/${one}/${name}`, 'latin1')),
    );
    const isServer = /event-store|postgres/.test(command ?? ''); // They get ciphertext.
    if (!isServer && environment?.includes('--heapsnapshot-signal')) found.push(one);
  }
  return found;
};

const endOf = async (path: string): Promise<string> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, Math.max(0, size - 16));
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
};
