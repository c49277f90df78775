import { AnthropicServer, answer } from '@app/testing/providers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller, Service } from '../support/service.js';

/** The provider's tokens are smaller: it bills about 40 % more than the local count. */
const BYTES_PER_TOKEN = 3.25;
const WINDOWS = { 'fit-200k': 200_000, 'fit-40k': 40_000, 'fit-32k': 32_000 };
type Model = keyof typeof WINDOWS;
type Composed = {
  readonly outcome: string;
  readonly body: string;
  readonly revision: number;
  readonly requestId: string;
  /** Billed tokens. */
  readonly occupancy: number;
  readonly maxOutput: number;
  readonly state: string;
  readonly ladder?: { readonly rung: string; readonly tokens: number };
  readonly banner: { readonly remedies: readonly { readonly remedy: string }[] } | null;
};
type Bill = { readonly usage: { readonly input_tokens: number; readonly output_tokens: number } };

/** Returns words of about four bytes per token. */
const words = (tokens: number): string => 'some text with words in it '.repeat(Math.ceil(tokens / 6));

/**
 * Guarantee: a composed request with its answer fits the window by the provider's count, and remedies of a refusal
 * work.
 */
export const fittingTests = (service: () => Service): void =>
  describe('composed request', () => {
    let api: Caller;
    let provider: AnthropicServer;
    beforeAll(async () => {
      api = await service().tenant('fitting');
      const held = { stopsAtWindow: false, outputMax: 64_000 };
      const models = Object.fromEntries(
        Object.entries(WINDOWS).map(([name, window]) => [name, { ...held, window }]),
      );
      provider = await AnthropicServer.start({ models, bytesPerToken: BYTES_PER_TOKEN });
    });
    afterAll(() => provider.close());

    const post = (path: string, body: unknown = {}) => api.call('POST', `/v1/sessions${path}`, body);
    const compose = (session: string, body: object = {}) => post(`/${session}/compose`, body);
    const composed = async (session: string, body: object = {}): Promise<Composed> => {
      const { status, body: answered } = await compose(session, { ...body, withBody: true });
      expect({ status, ...(status === 200 ? {} : { answered }) }).toEqual({ status: 200 });
      return answered as Composed;
    };
    const say = (session: string, role: 'user' | 'assistant', content: string, more: object = {}) =>
      post(`/${session}/messages`, { messages: [{ role, content }], ...more });
    const open = (session: string, settings: object) => post('', { session, ...settings });
    const events = async (
      session: string,
    ): Promise<readonly { type: string; data: Record<string, unknown> }[]> => {
      const { body } = await api.call('GET', `/v1/sessions/${session}/events`);
      const lines = String(body).trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line));
    };
    /** Has the provider answer the exact composed request. */
    const send = async ({ body }: Composed): Promise<Bill> => {
      provider.reply(answer('Done.'));
      const response = await fetch(`${provider.url}/v1/messages`, {
        method: 'POST',
        headers: {
          'x-api-key': 'any',
          'anthropic-version': '2023-06-01',
          'content-type': 'application/json',
        },
        body,
      });
      const said = await response.text();
      expect({ status: response.status, ...(response.status === 200 ? {} : { said }) }).toEqual({
        status: 200,
      });
      return JSON.parse(said);
    };
    /** The documented loop: user message, request, answer with its bill. */
    const turn = async (session: string, tokens: number): Promise<Composed> => {
      await say(session, 'user', words(tokens));
      const request = await composed(session);
      const { usage } = await send(request);
      const bill = { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens };
      await say(session, 'assistant', 'Done.', { usage: bill, stopReason: 'end_turn' });
      return request;
    };

    it.each<[string, Model, number, number]>([
      ['pivot', 'fit-200k', 14_000, 16],
      ['pivot', 'fit-40k', 2_800, 16],
      ['core', 'fit-40k', 2_800, 16],
    ])(
      'with its answer fits under %s on %s by the provider’s count, at every turn',
      async (profile, model, tokens, turns) => {
        const session = `fit-${profile}-${model}`;
        await open(session, { profile, model, window: WINDOWS[model] });
        for (let at = 0; at < turns; at += 1) await turn(session, tokens);
        const types = (await events(session)).map(({ type }) => type);
        expect(types).toContain('CompactionApplied');
        expect(types).not.toContain('ContextOverflowed');
      },
    );

    it('waits for the compaction of pivot, which queues no continuation for a client that composes', async () => {
      const session = 'fit-pivot-waits';
      await open(session, { profile: 'pivot', model: 'fit-40k', window: 40_000 });
      for (let at = 0; at < 5; at += 1) await turn(session, 2_800);
      await say(session, 'user', 'Go on.');
      await composed(session);
      await post(`/${session}/messages`, {
        messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'read', input: {} }] }],
        usage: { inputTokens: 26_000, outputTokens: 10 },
      });
      await post(`/${session}/messages`, {
        messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'found' }] }],
      });
      const next = await composed(session);
      expect(next.occupancy).toBeLessThanOrEqual(20_000);
      const all = await events(session);
      const types = all.map(({ type }) => type);
      expect(types.lastIndexOf('CompactionApplied')).toBeLessThan(types.lastIndexOf('RequestComposed'));
      expect(types).not.toContain('ContinuationQueued');
    });

    // Holds rule 4.16.
    it('shortens the answer before anything is omitted: a session with a floor of 27,500 of 32,000', async () => {
      const session = 'fit-floor';
      const system = words(27_500);
      await open(session, { model: 'fit-32k', window: 32_000, system });
      await say(session, 'user', 'Well?');
      const request = await composed(session);
      expect(request).toMatchObject({ outcome: 'composed' });
      expect(request).not.toHaveProperty('ladder');
      expect(request.maxOutput).toBeLessThan(6_400);
      expect(JSON.parse(request.body)).toMatchObject({ max_tokens: request.maxOutput });
    });

    // Holds rule 4.17.
    it('names the single oversized message, and truncates it at the user’s request', async () => {
      const session = 'fit-novel';
      await open(session, { model: 'fit-32k', window: 22_400 });
      await post(`/${session}/messages`, {
        messages: [{ id: 'novel', role: 'user', content: words(27_532) }],
      });
      const refused = await compose(session);
      expect(refused).toMatchObject({
        status: 422,
        body: {
          code: 'context-overflow',
          detail: expect.stringMatching(/largest message is novel with \d+ billed tokens/),
          largest: { messageId: 'novel', billedTokens: expect.any(Number) },
          remedies: [
            { remedy: 'truncate-message', messageId: 'novel', billedAfter: expect.any(Number) },
            { remedy: 'use-larger-model', window: expect.any(Number) },
          ],
        },
      });
      const short = await composed(session, { ladder: 'truncate' });
      expect(short).toMatchObject({
        ladderOption: 'truncate',
        ladder: { rung: 'truncate-messages', truncated: [{ messageId: 'novel' }] },
      });
      expect(short.body).toContain('<truncated-message message=\\"novel\\"');
      await send(short);
      const { largest } = refused.body as { largest: { billedTokens: number } };
      expect(largest.billedTokens).toBeGreaterThan(22_400);
    });

    // Holds rule 4.18.
    it('uses a deeper rung at every further overflow, or is rejected if the ladder is off', async () => {
      const session = 'fit-again';
      await open(session, { model: 'fit-40k', window: 40_000 });
      for (let at = 0; at < 8; at += 1) await turn(session, 1_500);
      await say(session, 'user', words(1_500));
      await composed(session);
      const overflow = { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' };
      const report = () => post(`/${session}/report-overflow`, overflow);
      expect(await report()).toMatchObject({ body: { outcome: 'compacted' } });
      const first = await composed(session);
      expect(first).not.toHaveProperty('ladder');
      expect(await report()).toMatchObject({ status: 200, body: { outcome: 'ladder' } });
      expect(await compose(session, { ladder: 'off' })).toMatchObject({
        status: 422,
        body: { code: 'context-overflow', reason: 'ladder-disabled', remedies: expect.any(Array) },
      });
      const second = await composed(session);
      expect(second).toMatchObject({ ladder: { rung: 'drop-groups' }, banner: { ladder: { requests: 1 } } });
      expect((await api.call('GET', `/v1/sessions/${session}`)).body).toMatchObject({
        budget: { ladder: { requests: 1, rung: 'drop-groups' } },
      });
      await send(second);
    });

    // Holds rule 4.21.
    it('is sent again if a provider has rejected a small one as too large, and its second answer decides', async () => {
      const session = 'fit-doubtful';
      await open(session, { model: 'fit-40k', window: 40_000 });
      await say(session, 'user', 'Begin.');
      const overflow = { status: 400, message: 'prompt is too long: 210000 tokens > 200000 maximum' };
      const report = () => post(`/${session}/report-overflow`, overflow);
      const { body } = await composed(session);
      expect(await report()).toMatchObject({ status: 200, body: { outcome: 'ladder' } });
      const again = await composed(session);
      expect(again).not.toHaveProperty('ladder');
      expect(again.body).toBe(body);
      expect(await report()).toMatchObject({ status: 422, body: { code: 'context-overflow' } });
      expect(await compose(session)).toMatchObject({ status: 422, body: { code: 'context-overflow' } });
      await say(session, 'user', 'Try again.');
      await send(await composed(session));
    });

    it('is overridden up to the window: at 99 % with the remaining output', async () => {
      const session = 'fit-override';
      await open(session, { profile: 'authorized', model: 'fit-32k', window: 32_000 });
      await say(session, 'user', 'Begin.');
      await say(session, 'assistant', 'Begun.', {
        usage: { inputTokens: 31_600, outputTokens: 40 },
        stopReason: 'end_turn',
      });
      await say(session, 'user', 'And?');
      expect(await compose(session)).toMatchObject({
        status: 409,
        body: {
          state: 'blocking',
          remedies: expect.arrayContaining([expect.objectContaining({ remedy: 'override' })]),
        },
      });
      const request = await composed(session, { override: { reason: 'the last answer' } });
      expect(request).toMatchObject({ state: 'blocking', maxOutput: expect.any(Number) });
      expect(request.maxOutput).toBeLessThanOrEqual(32_000 - 31_640);
    });

    // Holds rule 4.19.
    it('has no compaction as remedy if its summarizer is unavailable, before and after a failure', async () => {
      const session = 'fit-remedies';
      const profile = { name: 'mute', extends: 'authorized', summarizer: 'nobody', maxAttempts: 1 };
      await open(session, { profile, model: 'fit-40k', window: 40_000 });
      for (let at = 0; at < 6; at += 1) {
        await say(session, 'user', words(1_000));
        await say(session, 'assistant', words(5_400), { stopReason: 'end_turn' });
      }
      await say(session, 'user', 'And?');
      const names = (body: unknown): readonly string[] => {
        const { remedies } = body as { remedies: readonly { remedy: string }[] };
        return remedies.map(({ remedy }) => remedy);
      };
      expect(names((await compose(session)).body)).toEqual([
        'reset',
        'override',
        'shorten',
        'use-larger-model',
      ]);
      expect(await post(`/${session}/compactions?wait=true`)).toMatchObject({ body: { outcome: 'failed' } });
      expect(names((await compose(session)).body)).toEqual([
        'reset',
        'override',
        'shorten',
        'use-larger-model',
      ]);
      const path = `/v1/sessions/${session}/settings`;
      await api.call('PATCH', path, { overrides: { summarizer: 'extractive' } });
      const { body } = await compose(session);
      expect(names(body)).toEqual(['compact', 'reset', 'override', 'shorten', 'use-larger-model']);
      const [{ billedAfter }] = (body as { remedies: [{ billedAfter: number }] }).remedies;
      expect(await post(`/${session}/compactions?wait=true`)).toMatchObject({
        body: { outcome: 'completed' },
      });
      expect((await composed(session)).occupancy).toBeLessThanOrEqual(billedAfter);
    });

    it('reports at opening that the provider compacts as well', async () => {
      const profile = { name: 'twice', extends: 'core', providerContextManagement: 'configured' };
      await open('fit-twice', { model: 'fit-40k', window: 40_000, profile });
      await say('fit-twice', 'user', 'Hi.');
      expect(await composed('fit-twice')).toMatchObject({
        banner: { state: 'normal', duplicateCompaction: true },
      });
    });
  });
