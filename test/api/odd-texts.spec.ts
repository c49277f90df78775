import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Shell } from '../support/shell/shell.js';
import { ApiServer, KEY } from './support/api-server.js';

const ODD = ['constructor', 'toString', '__proto__', 'hasOwnProperty'] as const;
type Projection = { readonly projection: string; readonly stoppedStreams: number };
type Usage = { readonly groups: readonly { readonly key: string; readonly source: string }[] };

/** Window title, 8-bit colour code, bidirectional overrides, carriage return and invisible characters. */
const HIDDEN = '\u001b]0;mine\u0007\u009b31m\u202egnp\u2066\r\u{e0041}';
const OBEYED = /[\p{Bidi_C}\u2028\u2029\u{e0000}-\u{e007f}]|(?![\n\t])\p{Cc}/u;

let api: ApiServer;
beforeAll(async () => {
  api = await ApiServer.start({ PALIMPSEST_SUMMARIZER: 'extractive' });
});
afterAll(() => api.stop());

/** Guarantee: names of Object.prototype's members are ordinary names, and stop no projection. */
describe('names of Object.prototype’s members', () => {
  const ok = async <Body>(method: string, path: string, body?: unknown): Promise<Body> => {
    const answer = await api.call(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body as Body;
  };
  /** Repeats a read until its answer matches `isThere`. */
  const until = async <Body>(path: string, isThere: (body: Body) => boolean): Promise<Body> => {
    for (;;) {
      const body = await ok<Body>('GET', path);
      if (isThere(body)) return body;
      await pause(20);
    }
  };
  const expectNoRowStopped = async (): Promise<void> => {
    const all = await ok<readonly Projection[]>('GET', '/v1/projections');
    expect(all.length).toBeGreaterThan(3);
    expect(all.filter(({ stoppedStreams }) => stoppedStreams > 0)).toEqual([]);
  };

  it.each(ODD)(
    'serve a session whose model, tool and label are named %s: context, rows and usage are correct',
    async (name) => {
      const session = `odd-${ODD.indexOf(name)}`;
      const labels = `{${JSON.stringify(name)}:"a label"}`;
      const tool = { name, description: 'odd', input_schema: { type: 'object', properties: {} } };
      const input = `{${JSON.stringify(name)}:${JSON.stringify(name)}}`;
      await ok(
        'POST',
        '/v1/sessions',
        `{"session":"${session}","model":"${name}","window":50000,"labels":${labels},"tools":[${JSON.stringify(tool)}]}`,
      );
      const call = `{"type":"tool_use","id":"${name}","name":"${name}","input":${input}}`;
      await ok(
        'POST',
        `/v1/sessions/${session}/messages`,
        `{"messages":[{"role":"user","content":"Go."},{"role":"assistant","model":"${name}","content":[${call}]}],
        "usage":{"inputTokens":100,"outputTokens":10}}`,
      );
      await ok('POST', `/v1/sessions/${session}/messages`, {
        messages: [
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: name, content: 'done' }] },
          { role: 'assistant', content: 'Done.' },
        ],
      });
      const shown = await api.call('GET', `/v1/sessions/${session}`);
      expect(JSON.stringify(shown.body)).toContain(labels);
      const composed = await ok<{ request: unknown }>('POST', `/v1/sessions/${session}/compose`, {});
      expect(JSON.stringify(composed)).toContain(`"input":${input}`);
      const isLive = ({ key, source }: Usage['groups'][number]): boolean => key === name && source === 'live';
      const { groups } = await until<Usage>('/v1/usage?by=model', (usage) => usage.groups.some(isLive));
      expect(groups.filter(isLive)).toHaveLength(1);
      await expectNoRowStopped();
    },
  );

  it.each(ODD)('serve an import whose model and tool are named %s', async (name) => {
    const lines = [
      `{"role":"user","content":"Import ${name}."}`,
      `{"role":"assistant","model":"${name}","content":[{"type":"tool_use","id":"c","name":"${name}","input":{"${name}":1}}],"usage":{"input_tokens":5,"output_tokens":2}}`,
      '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"done"}]}',
    ];
    const file = `odd${ODD.indexOf(name)}`;
    const imported = await api.call('POST', `/v1/imports?name=${file}`, lines.join('\n'), {
      'content-type': 'application/x-ndjson',
    });
    expect(imported).toMatchObject({ status: 200, body: { skippedLines: 0, sessions: [{ messages: 3 }] } });
    await expectNoRowStopped();
  });
});

/** Guarantee: the command line never prints control sequences from users' texts. */
describe('command line on a session of hostile texts', () => {
  const shell = new Shell();
  beforeAll(async () => {
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
  afterAll(() => shell.end());

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
