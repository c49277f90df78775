import type Anthropic from '@anthropic-ai/sdk';
import type { SessionEvent } from '@app/domain';
import { answer, fail } from '@app/testing/providers';
import { describe, expect, it } from '@jest/globals';
import { anthropicAt, openAiAt, saying } from './support/clients.js';
import { startGateway } from './support/start-gateway.js';

const WINDOW = 20_000;
const MODEL = 'fits-in-20k';
/** Returns a text of `tokens` tokens by these providers' count. */
const words = (tokens: number): string => 'word'.repeat(tokens);
/** Returns a history of about `tokens` tokens, which ends with a user message. */
const filled = (tokens: number, messages = 9): { role: 'user' | 'assistant'; content: string }[] =>
  saying(...Array.from({ length: messages }, () => words(Math.floor(tokens / messages))));
const LIMITS = { window: WINDOW, outputMax: 64_000 };
const { anthropic, openai, gateway } = await startGateway({
  anthropic: { models: { [MODEL]: { ...LIMITS, stopsAtWindow: false, thinking: ['enabled', 'disabled'] } } },
  openai: { models: { [MODEL]: { ...LIMITS, inputMax: WINDOW, reasons: false } } },
});
type Composed = Extract<SessionEvent, { type: 'RequestComposed' }>['data'];

/**
 * Guarantee: requests through the gateway fit the window together with their answers, for any `max_tokens` of the client.
 */
describe('request through the gateway', () => {
  const lastComposed = async (session: string): Promise<Composed | undefined> =>
    (await gateway.events(session)).findLast((event) => event.type === 'RequestComposed')?.data;
  const client = (session: string, headers: Record<string, string> = {}) =>
    anthropicAt(gateway, { session, window: WINDOW, headers });
  const asked = (session: string, messages: Anthropic.MessageParam[], more: object = {}, headers = {}) =>
    client(session, headers)
      .messages.create({ model: MODEL, max_tokens: 8_000, messages, ...more })
      .withResponse();

  // Holds rule 4.16.
  it('limits the output to the available room, and otherwise to the client’s limit', async () => {
    await asked('short', filled(4_000));
    expect(anthropic.requests.at(-1)).toMatchObject({ status: 200, body: { max_tokens: 8_000 } });
    expect(await lastComposed('short')).toMatchObject({ maxOutput: 8_000 });
    await asked('reduced', filled(15_000), {}, { 'x-palimpsest-profile': 'authorized' });
    const { status, body } = anthropic.requests.at(-1) ?? {};
    expect(status).toBe(200);
    expect(Number(body?.max_tokens)).toBeLessThanOrEqual(5_000);
    expect(Number(body?.max_tokens)).toBeGreaterThanOrEqual(200);
    expect(await lastComposed('reduced')).toMatchObject({ maxOutput: body?.max_tokens });
  });

  it('keeps the thinking budget below the output limit', async () => {
    const thinking = { type: 'enabled', budget_tokens: 7_000 };
    const headers = { 'x-palimpsest-profile': 'authorized' };
    await asked('thinking', filled(15_000), { thinking }, headers);
    const { status, body } = anthropic.requests.at(-1) ?? {};
    expect(status).toBe(200);
    const { budget_tokens: budget } = (body?.thinking ?? {}) as { budget_tokens?: number };
    expect(budget).toBeGreaterThanOrEqual(1_024);
    expect(budget).toBeLessThan(Number(body?.max_tokens));
    await asked('no-thinking', filled(18_500), { thinking }, headers);
    expect(anthropic.requests.at(-1)).toMatchObject({
      status: 200,
      body: { thinking: { type: 'disabled' } },
    });
  });

  it.each(['max_tokens', 'max_completion_tokens'] as const)(
    'reduces %s of OpenAI Chat Completions',
    async (member) => {
      const session = `chat-${member}`;
      const headers = { 'x-palimpsest-profile': 'authorized' };
      const chat = openAiAt(gateway, { session, window: WINDOW, headers }).chat.completions;
      await chat.create({ model: MODEL, messages: filled(15_000), [member]: 8_000 });
      const { status, body } = openai.requests.at(-1) ?? {};
      expect(status).toBe(200);
      expect(Number(body?.[member])).toBeLessThanOrEqual(5_000);
      expect(await lastComposed(session)).toMatchObject({ maxOutput: body?.[member] });
    },
  );

  it('reduces max_output_tokens of OpenAI Responses, and leaves requests without it unchanged', async () => {
    const headers = { 'x-palimpsest-profile': 'authorized' };
    const at = (session: string) => openAiAt(gateway, { session, window: WINDOW, headers }).responses;
    await at('responses').create({ model: MODEL, input: filled(15_000), max_output_tokens: 8_000 });
    const { status, body } = openai.requests.at(-1) ?? {};
    expect(status).toBe(200);
    expect(Number(body?.max_output_tokens)).toBeLessThanOrEqual(5_000);
    await at('silent').create({ model: MODEL, input: filled(15_000) });
    expect(openai.requests.at(-1)?.body).not.toHaveProperty('max_output_tokens');
    expect(await lastComposed('silent')).not.toHaveProperty('maxOutput');
  });

  // Holds rule 4.20.
  it('is answered with state, occupancy and remedies in headers from warning on, also as a stream', async () => {
    const plain = await asked('told', filled(4_000));
    expect(plain.response.headers.get('x-palimpsest-state')).toBeNull();
    const headers = { 'x-palimpsest-profile': 'authorized' };
    for (const stream of [false, true]) {
      const { response } = await asked(`warned-${stream}`, filled(17_000), { stream }, headers);
      expect(response.headers.get('x-palimpsest-state')).toBe('warning');
      expect(Number(response.headers.get('x-palimpsest-occupancy'))).toBeGreaterThanOrEqual(16_000);
      expect(response.headers.get('x-palimpsest-window')).toBe(String(WINDOW));
      expect(response.headers.get('x-palimpsest-remedies')).toMatch(
        /^compact;billed-after=\d+, reset;billed-after=\d+, use-larger-model;window=\d+$/,
      );
      if (stream) await response.text();
    }
    const refused = asked('refused', filled(19_400), {}, headers);
    await expect(refused).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(
        /billed tokens.*compactions \(leaves at most \d+ billed tokens\).*x-palimpsest-override/,
      ),
    });
    const word = { ...headers, 'x-palimpsest-override': 'the last answer' };
    const overridden = await asked('refused', filled(19_400), {}, word);
    expect(overridden.response.headers.get('x-palimpsest-state')).toMatch(/critical|blocking/);
    expect(anthropic.requests.at(-1)).toMatchObject({ status: 200 });
  });

  // Holds rule 4.17.
  it('truncates one oversized message if its client allows it, and otherwise names it', async () => {
    const messages = saying(words(24_600));
    const refused = asked('novel', messages);
    await expect(refused).rejects.toThrow(
      /prompt is too long.*largest message is \S+ with \d+ billed tokens.*ladder \S*truncate/,
    );
    const { response } = await asked('novel', messages, {}, { 'x-palimpsest-ladder': 'truncate' });
    expect(response.headers.get('x-palimpsest-ladder')).toBe('truncate-messages;requests=1');
    // The refused request was recorded: the same one continues its session.
    expect(response.headers.get('x-palimpsest-session')).toBe('novel');
    expect(anthropic.requests.at(-1)?.text).toContain('<truncated-message message=');
    expect(anthropic.requests).toHaveLength(1);
  });

  // Holds rule 4.18.
  it('is rejected as the caller’s error if the ladder is off', async () => {
    const off = asked('off', saying(words(24_600)), {}, { 'x-palimpsest-ladder': 'off' });
    await expect(off).rejects.toThrow(/prompt is too long.*the ladder is off/);
    expect(anthropic.requests).toEqual([]);
  });

  it('reports to a client that its provider compacts as well', async () => {
    const edits = { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } };
    anthropic.reply(answer('Hello.'), answer('Hello again.'));
    const twice = await asked('twice', saying('Hi.'), edits, {
      'anthropic-beta': 'context-management-2025-06-27',
    });
    expect(twice.response.headers.get('x-palimpsest-duplicate-compaction')).toBe('true');
  });

  // Holds rule 4.18.
  it('uses a deeper rung at each overflow until its provider accepts it', async () => {
    anthropic.reply(fail('overflow'), fail('overflow'), fail('overflow'), answer('At last.'));
    const { data, response } = await asked('deeper', filled(14_000, 19));
    expect(data.content).toMatchObject([{ text: 'At last.' }]);
    expect(anthropic.requests.map(({ status }) => status)).toEqual([400, 400, 400, 200]);
    const sizes = anthropic.requests.map(({ text }) => text.length);
    expect([...sizes].sort((a, b) => b - a)).toEqual(sizes);
    expect(response.headers.get('x-palimpsest-ladder')).toMatch(/requests=2$/);
    const types = await gateway.types('deeper');
    expect(types.filter((type) => type === 'CompactionRequested')).toHaveLength(1);
    expect(types).not.toContain('ContextOverflowed');
  });
});
