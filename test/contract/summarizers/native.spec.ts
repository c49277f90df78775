import { GetContext, GetContextHandler } from '@app/application';
import { sessionRef } from '@app/testing';
import { answer, fail } from '@app/testing/providers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { GOOD, type Provider, startProvider } from './support/providers.js';
import { compacted, playedSession } from './support/running.js';

let provider: Provider;
afterEach(() => provider.server.close());

const NATIVE = { nativeCompaction: true };

/** Guarantee: a provider's own compaction is stored beside the summary unchanged, and never used in its place. */
describe.each(['anthropic', 'openai-responses'] as const)('native compaction of %s', (name) => {
  it('is recorded unchanged for the range of the summary, with its cost', async () => {
    provider = await startProvider(name);
    provider.server.reply({ ...answer(GOOD), outputTokens: 50 }, answer('What the provider makes of it.'));
    const { completed } = await compacted(await playedSession(NATIVE), [provider.summarizer]);
    expect(completed?.summary).toBe(GOOD);
    const { native } = completed ?? {};
    if (!native || !('items' in native)) throw new Error(`no items: ${JSON.stringify(native)}`);
    expect(native).toMatchObject({ provider: name, model: provider.model });
    expect(native.items.filter(({ type }) => type === 'compaction')).toHaveLength(1);
    const [, asked] = provider.server.requests;
    expect(asked?.text).toContain('question 3');
    expect(asked?.text).not.toContain('question 11');
    expect(completed?.usage?.outputTokens).toBeGreaterThan(50);
  });

  it('fails without failing the compaction, and is reported', async () => {
    provider = await startProvider(name);
    provider.server.reply(answer(GOOD), fail('overloaded'));
    const { completed, failed } = await compacted(await playedSession(NATIVE), [provider.summarizer]);
    expect(failed).toEqual([]);
    expect(completed?.summary).toBe(GOOD);
    expect(completed?.native).toMatchObject({ provider: name, error: { rule: 'overloaded' } });
  });

  it('is not requested if the policy excludes it, or the summary is rejected', async () => {
    provider = await startProvider(name);
    provider.server.reply(answer(GOOD), answer('No headings.'));
    expect((await compacted(await playedSession(), [provider.summarizer])).completed?.native).toBeUndefined();
    await compacted(await playedSession({ ...NATIVE, maxAttempts: 1 }), [provider.summarizer]);
    expect(provider.server.requests).toHaveLength(2);
  });

  // Holds rule 5.94.
  it('is part of no context, which has the portable summary', async () => {
    provider = await startProvider(name);
    provider.server.reply(answer(GOOD), answer('Opaque.'));
    const application = await playedSession(NATIVE);
    await compacted(application, [provider.summarizer]);
    const { request } = await new GetContextHandler(application).execute(
      new GetContext(sessionRef(), 'anthropic'),
    );
    expect(JSON.stringify(request)).toContain('Ship it');
    expect(JSON.stringify(request)).not.toContain('encrypted_content');
  });
});

describe('native compaction of openai-chat', () => {
  it('does not exist: nothing is recorded, and nothing fails', async () => {
    provider = await startProvider('openai-chat');
    provider.server.reply(answer(GOOD));
    const { completed } = await compacted(await playedSession(NATIVE), [provider.summarizer]);
    expect(completed?.summary).toBe(GOOD);
    expect(completed?.native).toBeUndefined();
  });
});
