import { setTimeout as pause } from 'node:timers/promises';
import Anthropic from '@anthropic-ai/sdk';
import { AnthropicServer, answer, OpenAiServer } from '@app/testing/providers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { ApiServer, KEY } from '../support/api-server.js';
import { exportOf, typesOf } from './support/sessions.js';

const TOKENS_PER_MINUTE = 500;
/** By the limit's estimate of four bytes per token. */
const tokens = (count: number): string => 'abc '.repeat(count);

/** A tenant with low limits, whose clients send their own provider keys. */
describe('requests through the gateway', () => {
  let anthropic: AnthropicServer;
  let openai: OpenAiServer;
  let api: ApiServer;
  let key: string;

  beforeAll(async () => {
    anthropic = await AnthropicServer.start();
    openai = await OpenAiServer.start();
    api = await ApiServer.startAlone({
      PALIMPSEST_GATEWAY_ANTHROPIC: anthropic.url,
      PALIMPSEST_GATEWAY_OPENAI: `${openai.url}/v1`,
    });
    const made = await api.call('POST', '/v1/tenants', { tenant: 'few', name: 'Few' });
    key = Object(made.body).key;
    const limits = { tokensPerMinute: TOKENS_PER_MINUTE, requestsPerMinute: 9_999 };
    await api.call('PUT', '/v1/limits', limits, bearer(key));
  });
  afterAll(async () => {
    await api.stop();
    await Promise.all([anthropic.close(), openai.close()]);
  });

  const ofAnthropic = (session?: string) =>
    new Anthropic({
      ...{ apiKey: 'the-providers-key', baseURL: `${api.url}/gateway/anthropic`, maxRetries: 0 },
      defaultHeaders: { 'x-palimpsest-key': key, ...(session && { 'x-palimpsest-session': session }) },
    });
  const ofOpenAi = () =>
    new OpenAI({
      ...{ apiKey: 'the-providers-key', baseURL: `${api.url}/gateway/openai/v1`, maxRetries: 0 },
      defaultHeaders: { 'x-palimpsest-key': key },
    });

  describe('models', () => {
    it('are listed in Anthropic’s format', async () => {
      const { data } = await ofAnthropic().models.list({ limit: 1_000 });
      expect(data.map(({ id }) => id)).toContain('claude-opus-4-6');
      const shown = await ofAnthropic().models.retrieve('claude-opus-4-6');
      expect(shown).toEqual(data.find(({ id }) => id === 'claude-opus-4-6'));
      const [list, one] = anthropic.requests;
      expect(list).toMatchObject({ method: 'GET', path: '/v1/models', query: 'limit=1000', text: '' });
      expect(one).toMatchObject({ method: 'GET', path: '/v1/models/claude-opus-4-6' });
      expect(JSON.stringify([list?.headers, one?.headers])).not.toContain(key);
      expect(one?.headers.authorization).toBe('Bearer the-providers-key');
    });

    it('are listed in OpenAI’s format', async () => {
      const { data } = await ofOpenAi().models.list();
      expect(data.map(({ id }) => id)).toContain('gpt-5');
      expect(await ofOpenAi().models.retrieve('gpt-5')).toMatchObject({ id: 'gpt-5', object: 'model' });
      await expect(ofOpenAi().models.retrieve('gpt-0')).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    });

    it('are requested by valid names only', async () => {
      const climbed = await fetch(`${api.url}/gateway/openai/v1/models/%2e%2e?x`, {
        headers: { 'x-palimpsest-key': key, authorization: 'Bearer the-providers-key' },
      });
      expect(climbed.status).toBe(404);
    });
  });

  it('counts a request of uncertain size with the client’s own key, if the session’s policy says so', async () => {
    anthropic.forget();
    anthropic.reply(answer('One.'), answer('Two.'));
    const client = new Anthropic({
      ...{ apiKey: 'the-providers-key', baseURL: `${api.url}/gateway/anthropic`, maxRetries: 0 },
      defaultHeaders: {
        ...{ 'x-palimpsest-key': KEY, 'x-palimpsest-session': 'doubted', 'x-palimpsest-window': '10000' },
      },
    });
    const ask = (...messages: Anthropic.MessageParam[]) =>
      client.messages.create({ model: 'claude-opus-4-6', max_tokens: 64, system: 'Be brief.', messages });
    const first = user('Count.');
    await ask(first);
    const policy = { overrides: { tokenCounting: 'provider' } };
    expect((await api.call('PATCH', '/v1/sessions/doubted/settings', policy)).status).toBe(200);
    await ask(first, { role: 'assistant', content: 'One.' }, user('word '.repeat(5_500)));
    const [, count, asked] = anthropic.requests;
    expect(count).toMatchObject({ path: '/v1/messages/count_tokens', status: 200 });
    expect(count?.headers.authorization).toBe('Bearer the-providers-key');
    const { messages, system } = asked?.body ?? {};
    expect(count?.body).toEqual({ model: 'claude-opus-4-6', messages, system });
    const types = await typesOf(api, 'doubted');
    const at = types.indexOf('RequestCounted');
    // The request records how the client formats its new message.
    expect(types.slice(at - 1, at + 3)).toEqual([
      ...['MessageAppended', 'RequestCounted', 'RequestPartsChanged', 'RequestComposed'],
    ]);
  });

  describe('token limit of the tenant', () => {
    beforeAll(async () => {
      for (let known: string | null = null; known !== '9999'; await pause(100))
        known = (await api.call('GET', '/v1/whoami', undefined, bearer(key))).headers.get('ratelimit-limit');
    });
    const turn = async (session: string, messages: readonly Anthropic.MessageParam[]) =>
      ofAnthropic(session).messages.create({
        ...{ model: 'claude-opus-4-6', max_tokens: 900, messages: [...messages] },
      });

    it('counts new messages only, and rejects in the provider’s format before recording or sending', async () => {
      anthropic.forget();
      anthropic.reply(answer('One.'), answer('Two.'));
      const first = { role: 'user' as const, content: tokens(200) };
      const second = [first, { role: 'assistant' as const, content: 'One.' }, user('Go on.')];
      await turn('counted', [first]);
      await turn('counted', second);
      // The first messages have been sent twice by now, and count once.
      const third = [...second, { role: 'assistant' as const, content: 'Two.' }, user(tokens(400))];
      const refused = await turn('counted', third).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(Anthropic.RateLimitError);
      expect(Object(refused).error).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
      expect(Number(Object(refused).headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(anthropic.requests).toHaveLength(2);
      expect(await exportOf(api, 'counted', bearer(key))).toHaveLength(4);
      const another = await turn('another', [first]).catch((error: unknown) => Object(error).status);
      expect(another).toBe(429);
      expect((await api.call('GET', '/v1/sessions/another', undefined, bearer(key))).status).toBe(404);
    });

    it('is reported to OpenAI’s clients in their provider’s format', async () => {
      const messages = [user(tokens(600))];
      const chat = ofOpenAi().chat.completions.create({ model: 'gpt-5', messages });
      const refused = await chat.catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(OpenAI.RateLimitError);
      expect(refused).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit_error' });
      const response = ofOpenAi().responses.create({ model: 'gpt-5', input: tokens(600) });
      await expect(response).rejects.toBeInstanceOf(OpenAI.RateLimitError);
      expect(openai.requests.filter(({ method }) => method === 'POST')).toEqual([]);
    });
  });
});

const user = (content: string) => ({ role: 'user' as const, content });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
