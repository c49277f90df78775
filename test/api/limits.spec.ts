import { AnthropicServer, OpenAiServer } from '@app/testing/providers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, ApiServer, KEY } from './support/api-server.js';
import { RawHttp } from './support/raw-http.js';

/** Requests that one client sends without waiting for answers. */
const BURST = 1_000;
const LONG = 'm'.repeat(3_000);
const HUGE = '{"n":1e400}';
const ODD = '{"__proto__":{"a":1},"constructor":{"prototype":{"b":2}}}';

/** Guarantee: API, gateway and imports have the same limits, and treat unusual JSON alike. */
describe('limits of input', () => {
  let api: ApiServer;
  let upstream: AnthropicServer;
  let openai: OpenAiServer;
  beforeAll(async () => {
    upstream = await AnthropicServer.start();
    openai = await OpenAiServer.start();
    api = await ApiServer.start({
      PALIMPSEST_SUMMARIZER: 'extractive',
      PALIMPSEST_GATEWAY_ANTHROPIC: upstream.url,
      PALIMPSEST_GATEWAY_OPENAI: `${openai.url}/v1`,
    });
    expect((await api.call('POST', '/v1/sessions', { session: 's', window: 50_000 })).status).toBe(201);
  });
  afterAll(async () => {
    await api.stop();
    await upstream.close();
    await openai.close();
  });

  const append = (body: string, session = 's'): Promise<Answer> =>
    api.call('POST', `/v1/sessions/${session}/messages`, body);
  const calling = (input: string): string =>
    `{"messages":[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"t","input":${input}}]}]}`;
  /** A gateway request with the provider's key and the API key. */
  const asked = async (
    input: string,
    model = 'claude-opus-4-6',
  ): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${api.url}/gateway/anthropic/v1/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'sk-ant-theirs', 'x-palimpsest-key': KEY },
      body: `{"model":"${model}","max_tokens":10,"messages":[{"role":"user","content":"Go."},
        {"role":"assistant","content":[{"type":"tool_use","id":"c","name":"t","input":${input}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"done"}]}]}`,
    });
    return { status: response.status, text: await response.text() };
  };
  const imported = (text: string, name: string): Promise<Answer> =>
    api.call('POST', `/v1/imports?name=${name}`, text, { 'content-type': 'application/x-ndjson' });

  it('let another tenant in before the end of a burst of one', async () => {
    const added = await api.call('POST', '/v1/tenants', { tenant: 'calm', name: 'Calm' });
    const { key } = added.body as { key: string };
    const [burst, calm] = [await RawHttp.open(api.url), await RawHttp.open(api.url)];
    const open = (connection: RawHttp, session: string, as: string): void => {
      const body = JSON.stringify({ session, window: 50_000 });
      const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
      connection.send('POST', '/v1/sessions', { authorization: `Bearer ${as}`, ...headers }, body);
    };
    // In one turn, so that the service has all of them at once; the log has them in the order of their execution.
    for (let at = 0; at < BURST; at += 1) open(burst, `burst-${at}`, KEY);
    open(calm, 'calm', key);
    expect(await calm.status()).toBe(201);
    await burst.until((text) => text.split('HTTP/1.1 201').length > BURST);
    const placesOf = async (as: string): Promise<readonly bigint[]> => {
      const path = `/v1/audit?type=SessionOpened&limit=${BURST}`;
      const { body } = await api.call('GET', path, undefined, { authorization: `Bearer ${as}` });
      return (body as { items: { position: string }[] }).items.map(({ position }) => BigInt(position));
    };
    const [place = 0n] = await placesOf(key);
    expect((await placesOf(KEY)).filter((one) => one < place).length).toBeLessThan(BURST / 2);
    for (const connection of [burst, calm]) connection.close();
  });

  it('leave out white space at the end of a request that ends with text of the assistant', async () => {
    const opened = { session: 'ends', window: 50_000, model: 'claude-haiku-4-5' };
    expect((await api.call('POST', '/v1/sessions', opened)).status).toBe(201);
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [{ type: 'text', text: 'It is \n' }] },
    ];
    expect((await append(JSON.stringify({ messages }), 'ends')).status).toBe(200);
    const { body } = await api.call('POST', '/v1/sessions/ends/compose', {});
    expect(body).toMatchObject({ request: { messages: [{}, { content: [{ text: 'It is' }] }] } });
  });

  it('reject a number beyond double precision in API and gateway, and skip it in imports', async () => {
    expect(await append(calling(HUGE))).toMatchObject({
      status: 400,
      body: {
        code: 'invalid-request',
        faults: [{ at: 'body', problem: expect.stringContaining('1.8e308') }],
      },
    });
    expect(await asked(HUGE)).toMatchObject({ status: 400, text: expect.stringContaining('1.8e308') });
    const lines = [
      '{"role":"user","content":"Go."}',
      `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"t","input":${HUGE}}]}`,
      '{"role":"assistant","content":"Done."}',
    ];
    expect(await imported(lines.join('\n'), 'huge')).toMatchObject({
      status: 200,
      body: {
        skipped: [{ line: 2, reason: expect.stringContaining('1.8e308') }],
        sessions: [{ messages: 2 }],
      },
    });
  });

  it('allow names like __proto__, NUL and lone surrogates in content of the API and imports', async () => {
    const odd = `{"input":${ODD},"nul":"a\\u0000b","half":"\\ud800"}`;
    expect((await append(calling(odd))).status).toBe(200);
    const lines = [
      '{"role":"user","content":"Go."}',
      `{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"t","input":${odd}}]}`,
    ];
    expect(await imported(lines.join('\n'), 'odd')).toMatchObject({ status: 200, body: { skippedLines: 0 } });
    const exported = await api.call('GET', '/v1/sessions/s/export');
    expect(exported.body).toContain(`"input":${ODD}`);
  });

  it.each([
    [
      'anthropic/v1/messages',
      `{"model":"claude-opus-4-6","max_tokens":10,"tools":[{"name":"constructor","input_schema":{"type":"object","properties":{}}}],"messages":[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"constructor","input":INPUT}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"done"}]}]}`,
    ],
    [
      'openai/v1/chat/completions',
      `{"model":"gpt-4o","messages":[{"role":"user","content":"Go."},{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"constructor","arguments":TEXT}}]},{"role":"tool","tool_call_id":"c","content":"done"}]}`,
    ],
    [
      'openai/v1/responses',
      `{"model":"gpt-5","input":[{"role":"user","content":"Go."},{"type":"function_call","call_id":"c","name":"constructor","arguments":TEXT},{"type":"function_call_output","call_id":"c","output":"done"}]}`,
    ],
  ])('allow them in the gateway, which forwards and records them: %s', async (route, form) => {
    const odd = `{"input":${ODD},"nul":"a\\u0000b","half":"\\ud800"}`;
    const response = await fetch(`${api.url}/gateway/${route}`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'x-palimpsest-key': KEY, 'anthropic-version': '2023-06-01' },
        ...(route.startsWith('anthropic')
          ? { 'x-api-key': 'sk-theirs' }
          : { authorization: 'Bearer sk-theirs' }),
      },
      body: form.replace('INPUT', odd).replace('TEXT', JSON.stringify(odd)),
    });
    expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
    const passed = (route.startsWith('anthropic') ? upstream : openai).requests.at(-1)?.text ?? '';
    expect(passed).toContain(form.includes('INPUT') ? odd : JSON.stringify(odd));
    const session = response.headers.get('x-palimpsest-session');
    const exported = await api.call('GET', `/v1/sessions/${session}/export`);
    expect(exported.body).toContain(`"input":${odd}`);
  });

  it('apply to model names: rejected by API and gateway, skipped by imports', async () => {
    expect(await api.call('POST', '/v1/sessions', { session: 'long', model: LONG })).toMatchObject({
      status: 400,
      body: { faults: [{ at: 'model' }, { at: 'model' }] },
    });
    expect((await asked('{}', LONG)).status).toBe(400);
    const line = `{"role":"user","content":"Go."}\n{"role":"assistant","model":"${LONG}","content":"Done."}`;
    expect(await imported(line, 'long-model')).toMatchObject({
      status: 200,
      body: { sessions: [{ messages: 2 }] },
    });
  });

  it('apply to call ids and tool names: rejected by API and gateway, renamed by imports', async () => {
    const named = (id: string, name: string): string =>
      `{"messages":[{"role":"user","content":"Go."},{"role":"assistant","content":[{"type":"tool_use","id":"${id}","name":"${name}","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"${id}","content":"done"}]}]`;
    expect((await append(`${named('i'.repeat(1_000), 't'.repeat(256))}}`)).status).toBe(200);
    for (const body of [named('i'.repeat(1_001), 't'), named('i', 't'.repeat(257)), named('\\u0000', 't')]) {
      const refused = await append(`${body}}`);
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
      expect(JSON.stringify(refused.body)).toContain('1000 characters');
      const response = await fetch(`${api.url}/gateway/anthropic/v1/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': 'sk-theirs', 'x-palimpsest-key': KEY },
        body: `${body},"model":"claude-opus-4-6","max_tokens":10}`,
      });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain('1000 characters');
    }
    const file = `${named('i'.repeat(3_000), 't'.repeat(3_000))}}`;
    expect(await imported(file, 'long-calls')).toMatchObject({
      status: 200,
      body: { skippedLines: 0, sessions: [{ messages: 3, toolCalls: 1 }] },
    });
  });

  it('apply to usage: rejected by the API, ignored in transcripts', async () => {
    const usage = '"usage":{"inputTokens":9007199254740000}';
    expect(await append(`{"messages":[{"role":"assistant","content":"x"}],${usage}}`)).toMatchObject({
      status: 400,
      body: { faults: [{ at: 'usage.inputTokens' }] },
    });
    const line =
      '{"role":"assistant","content":"x","usage":{"input_tokens":9007199254740000,"output_tokens":1}}';
    expect((await imported(`{"role":"user","content":"Go."}\n${line}`, 'billed')).status).toBe(200);
  });

  it.each(['9'.repeat(19), '9'.repeat(20), '9'.repeat(30)])(
    'reject a cursor at position %s',
    async (position) => {
      const at = (text: string): string => Buffer.from(text).toString('base64url');
      const audit = (sort: string): string =>
        at(JSON.stringify([sort, position, '2026-01-01T00:00:00.000Z']));
      const paths = [
        `/v1/sessions?cursor=${at(`p${position}`)}`,
        `/v1/tenants?cursor=${at(`p${position}`)}`,
        `/v1/audit?sort=position&cursor=${audit('position')}`,
        `/v1/audit/reads?cursor=${audit('reads')}`,
      ];
      for (const path of paths) expect(await api.call('GET', path)).toMatchObject({ status: 400 });
    },
  );

  it('stop no projection', async () => {
    const all = await api.call('GET', '/v1/projections');
    expect(JSON.stringify(all.body)).not.toContain('"stopped":{');
  });
});
