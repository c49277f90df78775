import { GetContext, GetContextHandler } from '@app/application';
import { MODEL_PROVIDERS } from '@app/domain';
import { type Application, sessionRef } from '@app/testing';
import { type Answer, answer, call, fail, refusal, thinking } from '@app/testing/providers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GOOD, type Provider, startProvider } from './support/providers.js';
import { compacted, playedSession } from './support/running.js';

const contextOf = async ({ sessions }: Application): Promise<string> => {
  const { request } = await new GetContextHandler({ sessions }).execute(
    new GetContext(sessionRef(), 'anthropic'),
  );
  return JSON.stringify(request);
};

/** Invalid answers, each with the rule that rejects it. */
const SHAPES = {
  'without content': [answer(''), 'empty'],
  'with whitespace only': [answer(' \n \n'), 'empty'],
  'with thinking only': [answer(thinking('I wonder.')), 'empty'],
  'with tagged thinking only': [answer(`<thinking>${GOOD}</thinking>`), 'empty'],
  'cut off by the output limit': [{ ...answer(GOOD), stop: 'max-tokens' }, 'finish-reason'],
  'stopped by a content filter': [{ ...answer(GOOD), stop: 'refusal' }, 'finish-reason'],
  'with a tool call': [answer(call('read', { path: 'a' })), 'finish-reason'],
  'with a tool call after its text': [answer(GOOD, call('read', { path: 'a' })), 'finish-reason'],
  'with a refusal': [answer(refusal('No.')), 'finish-reason'],
  'with a refusal as text': [answer("I'm sorry, I cannot do that."), 'refusal'],
  'without its sections': [answer('It went well.'), 'sections'],
  'longer than its input': [answer(`${GOOD}\n\n${'And on it goes. '.repeat(2_500)}`), 'oversize'],
  'with a lone surrogate': [answer(`${GOOD}\ud800`), 'unicode'],
} as const satisfies Readonly<Record<string, readonly [Answer, string]>>;

/** Guarantee: no invalid answer of a model gets into a context. */
describe.each(MODEL_PROVIDERS)('invalid answer of %s', (name) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await startProvider(name);
  });
  afterAll(() => provider.server.close());
  beforeEach(() => provider.server.forget());

  // OpenAI's chat does not return thinking.
  const shapes = Object.entries(SHAPES).filter(
    ([shape]) => name !== 'openai-chat' || shape !== 'with thinking only',
  );

  // Holds rule 9.7.
  it.each(shapes)('%s fails the attempt and leaves the context byte-identical', async (_, [reply, rule]) => {
    const application = await playedSession({ maxAttempts: 2 });
    const before = await contextOf(application);
    provider.server.reply(reply, fail('unauthorized'));
    const { failed, types } = await compacted(application, [provider.summarizer]);
    expect(failed.map(({ error }) => error.rule)).toEqual([rule, 'refused']);
    expect(types.at(-1)).toBe('CompactionFailed');
    expect((await contextOf(application)) === before).toBe(true);
  });
});
