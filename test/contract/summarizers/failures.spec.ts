import { extractiveSummarizer } from '@app/adapters/summarizer-extractive';
import { ChangeSettings, GetContext, GetContextHandler } from '@app/application';
import { MODEL_PROVIDERS } from '@app/domain';
import {
  type Application,
  caller,
  composing,
  filledSession,
  playTurns,
  quarterCounter,
  sessionRef,
  withWorker,
} from '@app/testing';
import { answer, call, fail } from '@app/testing/providers';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { GOOD, type Provider, startProvider } from './support/providers.js';
import { compacted, paced, playedSession } from './support/running.js';

const extractive = extractiveSummarizer(quarterCounter);
const contextOf = async ({ sessions }: Application): Promise<string> => {
  const { request } = await new GetContextHandler({ sessions }).execute(
    new GetContext(sessionRef(), 'anthropic'),
  );
  return JSON.stringify(request);
};
/** The request's other fields depend on the window. */
const messagesIn = (context: string): unknown => JSON.parse(context).messages;

/** Guarantee: each row of the failure table holds with a real client and a provider server. */
describe.each(MODEL_PROVIDERS)('compaction by a model on %s', (name) => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await startProvider(name);
  });
  afterAll(() => provider.server.close());
  beforeEach(() => provider.server.forget());

  const run = async (overrides: Parameters<typeof playedSession>[0] = {}, pace = paced()) =>
    compacted(await playedSession(overrides), [provider.summarizer], { pace });

  it('is recorded with its author and cost', async () => {
    provider.server.reply({ ...answer(GOOD), outputTokens: 55 });
    const { completed, started } = await run();
    const { identity } = provider.summarizer;
    expect(started[0]?.summarizer).toEqual(identity);
    expect(completed).toMatchObject({ summarizer: identity, usage: { outputTokens: 55 } });
    expect(completed?.summary).toBe(GOOD);
  });

  // Holds rule 9.1.
  it('waits as long as the provider asks, and retries', async () => {
    provider.server.reply(
      fail('rate-limited', { retryAfter: { seconds: 9 } }),
      fail('overloaded'),
      answer(GOOD),
    );
    const pace = paced();
    const { failed, completed } = await run({}, pace);
    expect(failed.map(({ error }) => error.rule)).toEqual(['rate-limit', 'overloaded']);
    expect(pace.waits).toEqual([9_000, 2_000]);
    expect(completed?.attempt).toBe(3);
  });

  // Holds rule 9.2.
  it('fails when its attempts are exhausted, and leaves the context byte-identical', async () => {
    provider.server.reply(fail('server-error'), fail('gateway-timeout'), fail('hangs-up'));
    const application = await playedSession();
    const before = await contextOf(application);
    const { types, failed } = await compacted(application, [provider.summarizer]);
    expect(types.at(-1)).toBe('CompactionFailed');
    expect(failed.map(({ error }) => error.rule)).toEqual(['unavailable', 'timeout', 'unavailable']);
    expect((await contextOf(application)) === before).toBe(true);
    expect(provider.server.requests).toHaveLength(3);
  });

  // Holds rule 9.2.
  it('is given up if the provider’s retry time is too long', async () => {
    provider.server.reply(fail('rate-limited', { retryAfter: { seconds: 86_400 } }));
    const { types } = await run();
    expect(types.at(-1)).toBe('CompactionFailed');
    expect(provider.server.requests).toHaveLength(1);
  });

  // Holds rule 9.1.
  it('aborts a call after its timeout, and retries', async () => {
    provider.server.reply(fail('never-answers'), answer(GOOD));
    const late = new AbortController();
    const limit = jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(late.signal);
    const running = run();
    await provider.server.received(1);
    late.abort(Object.assign(new Error('that was all of its time'), { name: 'TimeoutError' }));
    const { failed, completed } = await running;
    limit.mockRestore();
    expect(failed.map(({ error }) => error.rule)).toEqual(['timeout']);
    expect(completed?.attempt).toBe(2);
    expect(await provider.server.requests[0]?.ended).toBe('left');
  });

  // Holds rule 9.4.
  it('aborts the call of a stopped worker: another one takes over', async () => {
    provider.server.reply(fail('never-answers'), answer(GOOD));
    const application = await playedSession();
    const stop = new AbortController();
    const stopped = compacted(application, [provider.summarizer], { signal: stop.signal });
    const outcome = expect(stopped).rejects.toThrow('stopped');
    await provider.server.received(1);
    stop.abort(new Error('stopped'));
    await outcome;
    expect(await provider.server.requests[0]?.ended).toBe('left');
    const { completed } = await compacted(application, [provider.summarizer]);
    expect(completed?.attempt).toBe(2);
  });

  // Holds rule 9.5.
  it('does not take a rate limit about tokens for an overflow', async () => {
    const message = 'Number of request tokens has exceeded your per-minute rate limit: reduce the length';
    provider.server.reply(fail('rate-limited', { message }), answer(GOOD));
    const { failed } = await run();
    expect(failed.map(({ error }) => error.rule)).toEqual(['rate-limit']);
  });

  // Holds rule 9.10.
  it('summarizes in parts if the summarizer’s model overflows', async () => {
    provider.server.reply(fail('overflow'), answer(GOOD), answer(`${GOOD} Both.`));
    const { completed, failed } = await run();
    expect(failed).toEqual([]);
    expect(completed?.summary).toContain('Both.');
    expect(provider.server.requests[2]?.text).toContain('earlier-record');
  });

  // Holds rule 9.11.
  it('requests less after a summary that is too long, and truncates the last one at a block', async () => {
    const long = `${GOOD}\n\n${'More of it. '.repeat(600)}\n\n${'And more. '.repeat(600)}`;
    provider.server.reply(answer(long), answer(long), answer(long));
    const { types, completed } = await run();
    expect(types.filter((type) => type === 'CompactionSummaryExceededLimit')).toHaveLength(3);
    expect(completed?.truncated?.to).toBeLessThan(completed?.truncated?.from ?? 0);
    const [first, second] = provider.server.requests;
    expect(first?.text).not.toContain('too long');
    expect(second?.text).toContain('Your last record was too long');
  });

  // Holds rule 9.12.
  it('fails without progress if it gains nothing, and leaves the context unchanged', async () => {
    const application = await playedSession({ keepRecentTurns: 10, maxSummaryShare: 0.026 });
    const change = new ChangeSettings(sessionRef(), { window: 100_000 }, caller);
    const before = await contextOf(application);
    // A larger window allows a longer summary than planned: it is valid, but makes no progress.
    const switched = provider.server.received(1).then(() => application.commands.execute(change));
    provider.server.reply({
      ...answer(`${GOOD}\n\n${'It is all the same. '.repeat(60)}`),
      disturbance: { kind: 'gate', afterEvents: 1, until: switched },
    });
    const { types, failed } = await compacted(application, [provider.summarizer]);
    expect(failed[0]?.error.rule).toBe('no-gain');
    expect(types).toContain('CompactionYieldedNoGain');
    expect(types).not.toContain('CompactionCompleted');
    expect(types).toContain('CompactionFailed');
    expect(messagesIn(await contextOf(application))).toEqual(messagesIn(before));
  });

  it('tells the next attempt which rule was broken', async () => {
    provider.server.reply(answer(call('read', { path: 'a' })), answer('No headings.'), answer(GOOD));
    const { failed } = await run();
    expect(failed.map(({ error }) => error.rule)).toEqual(['finish-reason', 'sections']);
    expect(provider.server.requests[1]?.text).toContain('Call no tool. Write less');
    expect(provider.server.requests[2]?.text).toContain('lacked a section');
  });

  it('rejects a quote that is not in the log, by policy', async () => {
    provider.server.reply(answer(`${GOOD}\n\n> "delete it all" [q1]`), answer(GOOD));
    const { failed, completed } = await run({ unverifiedQuotes: 'reject' });
    expect(failed.map(({ error }) => error.rule)).toEqual(['unfounded-quote']);
    expect(completed?.attempt).toBe(2);
  });

  // Holds rule 9.9.
  it('opens the circuit breaker after three consecutive failures', async () => {
    const application = await playedSession({ maxAttempts: 1 });
    provider.server.reply(fail('unauthorized'), fail('unauthorized'), fail('unauthorized'));
    const types: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      types.push(...(await compacted(application, [provider.summarizer])).types);
      await playTurns(application, sessionRef(), 12 + at, 13 + at);
    }
    expect(types.filter((type) => type === 'CompactionFailed')).toHaveLength(3);
    expect(types).toContain('CompactionCircuitOpened');
  });

  // Holds rule 9.8.
  it('leaves an urgent request to the ladder if no model answers', async () => {
    provider.server.reply(fail('unauthorized'));
    const application = await filledSession(9_990, { mode: 'automatic' });
    const composed = await withWorker(application, () => composing(application), provider.summarizer);
    expect(composed).toMatchObject({ outcome: 'composed', ladder: { rung: expect.any(String) } });
  });

  describe('summarizer chain', () => {
    // Holds rule 5.93.
    it('continues with the next summarizer at once, and records those tried', async () => {
      provider.server.reply(fail('rate-limited', { retryAfter: { seconds: 3_000 } }));
      const pace = paced();
      const chain = [provider.summarizer, extractive] as const;
      const { started, failed, completed } = await compacted(await playedSession(), chain, { pace });
      expect(started.map(({ summarizer }) => summarizer.name)).toEqual([name, 'extractive']);
      expect(failed.map(({ error, retryAt }) => [error.rule, retryAt])).toEqual([['rate-limit', undefined]]);
      expect(completed?.summarizer.name).toBe('extractive');
      expect(pace.waits).toEqual([]);
    });

    it('asks the same summarizer for less after a summary that is too long, and the last one finally', async () => {
      const long = answer(`${GOOD}\n\n${'More of it. '.repeat(900)}`);
      provider.server.reply(long, long);
      const { started } = await compacted(await playedSession(), [provider.summarizer, extractive]);
      expect(started.map(({ summarizer }) => summarizer.name)).toEqual([name, name, 'extractive']);
    });
  });

  it('appends facts from the log to the summary, by policy', async () => {
    provider.server.reply(answer(GOOD));
    const application = await playedSession();
    const { completed } = await compacted(application, [provider.summarizer], { facts: extractive });
    expect(completed?.summary).toMatch(/^## Goal[\s\S]*\n\n## From the log\n### /);
    expect(completed?.quotes?.unfounded).toEqual([]);
    const without = await playedSession({ hybrid: false });
    provider.server.reply(answer(GOOD));
    const plain = await compacted(without, [provider.summarizer], { facts: extractive });
    expect(plain.completed?.summary).toBe(GOOD);
  });
});
