import Anthropic from '@anthropic-ai/sdk';
import { AnthropicServer, answer, call, fail, thinking } from '@app/testing/providers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiServer, KEY } from '../support/api-server.js';
import { exportOf, typesOf } from './support/sessions.js';

const MODEL = 'claude-opus-4-6';
const TOOLS = [{ name: 'read', description: 'Reads a file.', input_schema: { type: 'object' as const } }];

describe('client of Anthropic’s Messages API behind the gateway', () => {
  let upstream: AnthropicServer;
  let api: ApiServer;
  const client = (headers: Record<string, string> = {}) =>
    new Anthropic({
      apiKey: 'the-providers-key',
      baseURL: `${api.url}/gateway/anthropic`,
      maxRetries: 0,
      defaultHeaders: { 'x-palimpsest-key': KEY, ...headers },
    });

  beforeAll(async () => {
    upstream = await AnthropicServer.start();
    api = await ApiServer.start({
      PALIMPSEST_GATEWAY_ANTHROPIC: `${upstream.url}#secret=anthropic`,
    });
  });
  afterAll(async () => {
    await api.stop();
    await upstream.close();
  });
  beforeEach(() => upstream.forget());

  // Holds rule 10.1.
  it('exchanges the exact bytes of request and answer with its provider', async () => {
    upstream.reply(answer('Good morning.'));
    const body = `{ "model": "${MODEL}",  "max_tokens":64, "messages":[ {"role":"user","content":"Good morning"} ] }`;
    const response = await fetch(`${api.url}/gateway/anthropic/v1/messages?beta=true`, {
      method: 'POST',
      headers: {
        ...{ 'x-palimpsest-key': KEY, 'x-api-key': 'the-providers-key', 'content-type': 'application/json' },
        'anthropic-version': '2023-06-01',
      },
      body,
    });
    expect(upstream.requests[0]).toMatchObject({ text: body, query: 'beta=true', path: '/v1/messages' });
    expect(upstream.requests[0]?.headers).toMatchObject({
      'x-api-key': 'the-providers-key',
      'anthropic-version': '2023-06-01',
    });
    expect(JSON.stringify(upstream.requests[0]?.headers)).not.toContain(KEY);
    expect(response.headers.get('request-id')).toBe('req_0');
    expect(await response.json()).toMatchObject({ content: [{ type: 'text', text: 'Good morning.' }] });
  });

  // Holds rule 10.2.
  it('records requests and answers in the session, including tools and reasoning', async () => {
    const own = client({ 'x-palimpsest-session': 'tools-1' });
    upstream.reply(
      answer(thinking('Two files.'), call('read', { path: 'a' }), call('read', { path: 'b' })),
      answer('Both are empty.'),
    );
    const messages: Anthropic.Beta.BetaMessageParam[] = [{ role: 'user', content: 'Read a and b.' }];
    const common = { model: MODEL, max_tokens: 2_000, tools: TOOLS, thinking: { type: 'adaptive' as const } };
    const first = await own.beta.messages.stream({ ...common, messages }).finalMessage();
    const results = first.content.flatMap((block) =>
      block.type === 'tool_use'
        ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: `of ${block.id}` }]
        : [],
    );
    expect(results).toHaveLength(2);
    messages.push({ role: 'assistant', content: first.content }, { role: 'user', content: results });
    const second = await own.beta.messages.stream({ ...common, messages }).finalMessage();
    expect(second.content).toEqual([{ type: 'text', text: 'Both are empty.' }]);
    expect(second.stop_reason).toBe('end_turn');
    expect(await exportOf(api, 'tools-1')).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Read a and b.' }] },
      { role: 'assistant', content: first.content },
      { role: 'user', content: results },
      { role: 'assistant', content: second.content },
    ]);
    const types = await typesOf(api, 'tools-1');
    expect(types.filter((type) => type === 'UsageReported')).toHaveLength(2);
    expect(types.filter((type) => type === 'RequestComposed')).toHaveLength(2);
    expect(types.filter((type) => type === 'TurnCompleted')).toHaveLength(1);
  });

  // Holds rule 10.5.
  it('forks the session when the client edits an earlier message, and leaves the session unchanged', async () => {
    upstream.reply(answer('One.'), answer('Two.'), answer('Another two.'));
    const own = client({ 'x-palimpsest-session': 'edited-1' });
    const ask = async (...said: readonly string[]) => {
      const messages = said.map((content, at) => ({
        role: at % 2 ? ('assistant' as const) : ('user' as const),
        content,
      }));
      const { data, response } = await own.messages
        .create({ model: MODEL, max_tokens: 64, messages })
        .withResponse();
      return {
        text: JSON.stringify(data.content),
        session: response.headers.get('x-palimpsest-session') ?? '',
      };
    };
    expect(await ask('Count')).toMatchObject({ session: 'edited-1' });
    expect(await ask('Count', 'One.', 'Go on')).toMatchObject({ session: 'edited-1' });
    const edited = await ask('Count', 'One.', 'Go on, please');
    expect(edited.session).toMatch(/^edited-1-/);
    expect(await exportOf(api, 'edited-1')).toHaveLength(4);
    const forked = await exportOf(api, edited.session);
    expect(forked.map(({ content }) => content)).toEqual(
      ['Count', 'One.', 'Go on, please', 'Another two.'].map((text) => [{ type: 'text', text }]),
    );
  });

  // Holds rule 10.18.
  it('never returns another tenant’s session for any id', async () => {
    const made = await api.call('POST', '/v1/tenants', { tenant: 'rival', name: 'Rival' });
    const { key } = Object(made.body);
    const ask = (of: Anthropic) =>
      of.messages
        .create({ model: MODEL, max_tokens: 64, messages: [{ role: 'user', content: 'Whose?' }] })
        .withResponse();
    upstream.reply(answer('Yours.'), answer('Mine.'));
    const ours = await ask(client({ 'x-palimpsest-session': 'shared-name' }));
    const theirs = await ask(client({ 'x-palimpsest-session': 'shared-name', 'x-palimpsest-key': key }));
    expect(ours.response.headers.get('x-palimpsest-session')).toBe('shared-name');
    expect(theirs.response.headers.get('x-palimpsest-session')).toBe('shared-name');
    expect(await exportOf(api, 'shared-name')).toHaveLength(2);
    const other = await api.call('GET', '/v1/sessions/shared-name/export', undefined, {
      authorization: `Bearer ${key}`,
    });
    expect(JSON.stringify(other.body)).not.toContain('Yours.');
  });

  // Holds rule 10.17.
  it('receives its provider’s errors unchanged', async () => {
    upstream.reply(fail('rate-limited', { retryAfter: { seconds: 7 } }), fail('overloaded'));
    const ask = () =>
      client().messages.create({
        model: MODEL,
        max_tokens: 64,
        messages: [{ role: 'user', content: 'Hello?' }],
      });
    const limited = await ask().catch((error: unknown) => error);
    expect(limited).toBeInstanceOf(Anthropic.RateLimitError);
    expect(Object(limited).headers.get('retry-after')).toBe('7');
    expect(await ask().catch((error: unknown) => Object(error).status)).toBe(529);
  });

  // Holds rule 10.17.
  it('is asked to send whole threads, and does so by itself', async () => {
    const response = await fetch(`${api.url}/gateway/anthropic/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json', 'anthropic-version': '2026-10-21' },
      body: JSON.stringify({ model: MODEL, max_tokens: 9, thread: { type: 'create' }, messages: [] }),
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', details: { error_code: 'thread_unsupported_request' } },
    });
  });

  // Holds rule 10.17.
  it('receives Palimpsest’s errors in the provider’s format', async () => {
    const anybody = new Anthropic({
      apiKey: 'nobody',
      baseURL: `${api.url}/gateway/anthropic`,
      maxRetries: 0,
    });
    const ask = anybody.messages.create({
      model: MODEL,
      max_tokens: 1,
      messages: [{ role: 'user', content: 'x' }],
    });
    await expect(ask).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
  });

  // Holds rule 10.14.
  it('uses the tenant’s provider key if the client sends none', async () => {
    const own = new Anthropic({ apiKey: KEY, baseURL: `${api.url}/gateway/anthropic`, maxRetries: 0 });
    const ask = () =>
      own.messages.create({ model: MODEL, max_tokens: 1, messages: [{ role: 'user', content: 'Key?' }] });
    await expect(ask()).rejects.toThrow(/the tenant has no secret/);
    const put = await api.call('PUT', '/v1/secrets/anthropic', { value: 'the-tenants-key' });
    expect(put.status).toBeLessThan(300);
    await ask();
    expect(upstream.requests[0]?.headers).toMatchObject({ 'x-api-key': 'the-tenants-key' });
    expect(JSON.stringify(upstream.requests[0]?.headers)).not.toContain(KEY);
  });

  it('receives the provider’s own compaction too', async () => {
    upstream.reply({ ...answer('Short.'), compaction: 'A summary of the provider’s.' });
    const own = client({ 'x-palimpsest-session': 'double-1' });
    await own.beta.messages.create({
      ...{ model: MODEL, max_tokens: 64, betas: ['compact-2026-01-12'] },
      messages: [{ role: 'user', content: 'word '.repeat(60_000) }],
      context_management: {
        edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 50_000 } }],
      },
    });
    const types = await typesOf(api, 'double-1');
    expect(types).toEqual(expect.arrayContaining(['DuplicateCompactionConfigured', 'ProviderContextEdited']));
  });

  // Holds rule 10.6.
  it('forks the session if the same history is sent twice at once', async () => {
    upstream.reply(answer('One.'), answer('Two, first.'), answer('Two, second.'));
    const own = client({ 'x-palimpsest-session': 'twice-1' });
    const ask = (...said: readonly string[]) =>
      own.messages
        .create({
          ...{ model: MODEL, max_tokens: 64 },
          messages: said.map((content, at) => ({
            role: at % 2 ? ('assistant' as const) : ('user' as const),
            content,
          })),
        })
        .withResponse();
    await ask('Count');
    const both = await Promise.all([ask('Count', 'One.', 'Go on'), ask('Count', 'One.', 'Go on')]);
    expect(both.map(({ data }) => data.content)).toHaveLength(2);
    expect(await exportOf(api, 'twice-1')).toHaveLength(4);
    // The list shows the fork with a short delay.
    for (let names: string[] = []; names.length < 2; ) {
      const { body } = await api.call('GET', '/v1/sessions');
      names = Object(body)
        .items.map((item: { session: string }) => item.session)
        .filter((name: string) => name.startsWith('twice-1'));
    }
  });

  it('counts the request as it would be sent, and records nothing', async () => {
    const messages = [{ role: 'user' as const, content: 'How much is this?' }];
    const { input_tokens: counted } = await client({
      'x-palimpsest-session': 'counted-1',
    }).messages.countTokens({ model: MODEL, messages });
    expect(counted).toBeGreaterThan(0);
    expect((await api.call('GET', '/v1/sessions/counted-1')).status).toBe(404);
  });
});
