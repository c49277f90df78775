import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Shell } from '../support/shell/shell.js';
import { ApiServer, KEY } from './support/api-server.js';

/** Window title, 8-bit colour code, bidirectional overrides, carriage return and invisible characters. */
const HIDDEN = '\u001b]0;mine\u0007\u009b31m\u202egnp\u2066\r\u{e0041}';
const OBEYED = /[\p{Bidi_C}\u2028\u2029\u{e0000}-\u{e007f}]|(?![\n\t])\p{Cc}/u;

/** Guarantee: the command line never prints control sequences from users' texts. */
describe('command line on a session of hostile texts', () => {
  let api: ApiServer;
  const shell = new Shell();
  beforeAll(async () => {
    api = await ApiServer.start({ PALIMPSEST_SUMMARIZER: 'extractive' });
    const ok = async (method: string, path: string, body: object): Promise<void> =>
      expect((await api.call(method, path, body)).status).toBeLessThan(300);
    const named = { name: 'read\u202e', input_schema: { type: 'object' } };
    await ok('POST', '/v1/sessions', {
      ...{ session: 's', window: 20_000, system: HIDDEN, model: 'gpt\u202e', tools: [named] },
      labels: { team: HIDDEN },
    });
    const call = { type: 'tool_use', id: 'c\u202e', name: 'read\u202e', input: { path: `src/${HIDDEN}.ts` } };
    const result = { type: 'tool_result', tool_use_id: 'c\u202e', content: `Error: ${HIDDEN}`.repeat(200) };
    const messages = [
      { id: 'm0', role: 'user', content: `Read ${HIDDEN}. ${'why '.repeat(500)}` },
      { id: 'm1', role: 'assistant', content: [call] },
      { id: 'm2', role: 'user', content: [result] },
      ...[3, 5, 7].flatMap((at) => [
        { id: `m${at}`, role: 'assistant', content: `Done ${HIDDEN}` },
        { id: `m${at + 1}`, role: 'user', content: `Go on ${HIDDEN} ${'why '.repeat(500)}` },
      ]),
    ];
    await ok('POST', '/v1/sessions/s/messages', { messages });
    await ok('PUT', '/v1/sessions/s/pins/p', { text: HIDDEN });
    await ok('POST', '/v1/sessions/s/defer', { until: 'turn-end', reason: `wait ${HIDDEN}` });
    await ok('POST', '/v1/sessions/s/release', { reason: HIDDEN });
    await ok('POST', '/v1/sessions/s/compactions?wait=true', { instructions: HIDDEN });
  });
  afterAll(async () => {
    await shell.end();
    await api.stop();
  });

  it.each([
    'sessions',
    'context s',
    'audit --session s',
    'compact s --dry-run',
    'provenance s m0',
    'provenance s m2',
    'diff s 1 12 --content',
    'what-if s --profile core',
    'settings s',
    'events s --json',
    'context s --json',
    'audit --session s --json',
    'context nope\u202e',
    'settings s --model \u202e --nope\u001b',
  ])('prints %j without control characters', async (line) => {
    const env = { PALIMPSEST_URL: api.url, PALIMPSEST_API_KEY: KEY };
    const { stdout, stderr } = await shell.run(line.split(' '), env);
    expect(`${stdout}${stderr}`).not.toBe('');
    expect(OBEYED.exec(`${stdout}${stderr}`)).toBeNull();
  });

  it('prints the visible text', async () => {
    const env = { PALIMPSEST_URL: api.url, PALIMPSEST_API_KEY: KEY };
    expect((await shell.run(['context', 's'], env)).stdout).toContain('\\u001b]0;mine');
  });
});
