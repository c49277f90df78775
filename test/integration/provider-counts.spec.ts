import { httpUpstream } from '@app/adapters/upstream-http';
import { ChangeSettings } from '@app/application';
import type { SessionEvent } from '@app/domain';
import { AppError } from '@app/kernel';
import type { Upstream, UpstreamAnswer } from '@app/ports';
import {
  type Application,
  caller,
  composing,
  filledSession,
  recordedEvents,
  say,
  sessionRef,
} from '@app/testing';
import { AnthropicServer } from '@app/testing/providers';

const BY_PROVIDER = { mode: 'authorized', tokenCounting: 'provider' };

/** A session of that size with a named model, and 7 tokens more, by the local count. */
const filled = async (...given: Parameters<typeof filledSession>): Promise<Application> => {
  const application = await filledSession(...given);
  const change = { model: 'claude-opus-4-6', window: 10_000 };
  await application.commands.execute(new ChangeSettings(sessionRef(), change, caller));
  await say(application, 'asked', 'Go on.', 'user');
  return application;
};
const countsIn = async ({ log }: Application): Promise<readonly object[]> =>
  (await recordedEvents(log, sessionRef()))
    .filter(
      (event): event is Extract<SessionEvent, { type: 'RequestCounted' }> => event.type === 'RequestCounted',
    )
    .map(({ data }) => data);
const answering = (status: number, text: string): Upstream => ({
  send: async (): Promise<UpstreamAnswer> => ({
    ...{ status, headers: {} },
    body: (async function* () {
      yield Buffer.from(text);
    })(),
  }),
});
const failing = (code: 'upstream-unreachable' | 'upstream-key-missing'): Upstream => ({
  send: () => Promise.reject(new AppError(code, 'no')),
});
const silent: Upstream = { send: () => new Promise(() => {}) };

/** The provider's token count, if the session's policy requests it. */
describe('request of uncertain size', () => {
  let provider: AnthropicServer;
  let upstream: Upstream;
  beforeAll(async () => {
    // Like the newest models, this one counts more tokens than the local count.
    provider = await AnthropicServer.start({ key: 'the-tenants-key', bytesPerToken: 2.8 });
    upstream = httpUpstream({
      servers: { anthropic: [{ url: provider.url, secret: 'anthropic' }], openai: [] },
      readSecret: async () => 'the-tenants-key',
    });
  });
  beforeEach(() => provider.forget());
  afterAll(() => provider.close());

  it('is counted by its provider with the tenant’s key before the decision, which is recorded', async () => {
    const application = await filled(7_900, BY_PROVIDER, { upstream });
    const composed = await composing(application);
    expect(provider.requests).toMatchObject([{ path: '/v1/messages/count_tokens', status: 200 }]);
    const [count] = await countsIn(application);
    expect(count).toMatchObject({ counter: 'provider', estimated: 7_907, model: 'claude-opus-4-6' });
    expect(Object(count).tokens).toBeGreaterThan(9_500);
    // The estimate alone would not even warn.
    expect(composed).toMatchObject({
      outcome: 'refused',
      state: 'blocking',
      occupancy: Object(count).tokens,
    });
  });

  it('is not counted again after small changes, or under another policy', async () => {
    const application = await filled(7_900, BY_PROVIDER, { upstream });
    await composing(application);
    await say(application, 'more', 'A word.', 'user');
    await composing(application);
    expect(provider.requests).toHaveLength(1);
    const estimating = await filled(7_900, { mode: 'authorized' }, { upstream });
    await composing(estimating);
    expect(provider.requests).toHaveLength(1);
  });

  it('is estimated if it is composed for another API', async () => {
    const application = await filled(7_900, BY_PROVIDER, { upstream });
    await composing(application, { format: 'openai-chat' });
    expect(provider.requests).toEqual([]);
  });

  it.each([
    ['timed-out', silent],
    ['unreachable', failing('upstream-unreachable')],
    ['no-key', failing('upstream-key-missing')],
    ['refused', answering(429, '{"type":"error"}')],
    ['refused', answering(200, '<html>')],
    ['refused', answering(200, '{"input_tokens": "many"}')],
  ])(
    'is sent by the estimate if the provider’s count is %s, which is recorded once',
    async (failure, nobody) => {
      const application = await filled(7_900, BY_PROVIDER, {
        upstream: nobody,
        ...(failure === 'timed-out' && { countTimeoutMs: 50 }),
      });
      const composed = { outcome: 'composed', state: 'normal', occupancy: 7_907 };
      expect(await composing(application)).toMatchObject(composed);
      await say(application, 'more', 'More.', 'user');
      expect(await composing(application)).toMatchObject({ outcome: 'composed' });
      expect(await countsIn(application)).toMatchObject([
        { counter: 'estimate', tokens: 7_907, estimated: 7_907, failure },
      ]);
    },
  );
});
