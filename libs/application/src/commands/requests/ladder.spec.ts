import {
  AppendMessages,
  ChangeSettings,
  ResetSession,
  ShowSession,
  ShowSessionHandler,
} from '@app/application';
import { occupancy, type RequestBill, type SessionEventType } from '@app/domain';
import { invariant, MessageId, Tokens } from '@app/kernel';
import { SummarizerError } from '@app/ports';
import {
  type Application,
  caller,
  composing,
  filledSession,
  quarterCounter,
  recordedEvents,
  ScriptedSummarizer,
  say,
  sessionRef,
  textMessage,
  withWorker,
} from '@app/testing';

const ref = sessionRef();
const automatic = { mode: 'automatic' };
const typesIn = async ({ log }: Application): Promise<SessionEventType[]> =>
  (await recordedEvents(log, ref)).map(({ type }) => type);
const failing = () =>
  new ScriptedSummarizer(() => {
    throw new Error('down');
  });
const bill = (inputTokens: number): RequestBill => {
  const none = Tokens(0);
  const usage = { cacheReadTokens: none, cacheWriteTokens: none, outputTokens: none };
  return {
    usage: { inputTokens: Tokens(inputTokens), ...usage },
    model: 'unknown',
    outcome: 'completed',
    source: 'reported',
  };
};

/** Guarantee: where no compaction can help, an automatic session goes on, and the log says with how much of it. */
describe('the ladder after a failed compaction', () => {
  it.each([9_600, 9_900])(
    'leaves the request complete at %d tokens with a shorter answer',
    async (tokens) => {
      const application = await filledSession(tokens, automatic);
      const answer = await withWorker(application, () => composing(application), failing());
      expect(answer).toMatchObject({
        outcome: 'composed',
        occupancy: tokens,
        counted: tokens,
        stages: [],
        maxOutput: (10_000 - tokens) / 2 > 100 ? 200 : 100,
      });
      expect(answer).not.toHaveProperty('ladder');
    },
  );

  it.each([9_901, 9_990])('shrinks the request at %d tokens and reports the rung', async (tokens) => {
    const application = await filledSession(tokens, automatic);
    const answer = await withWorker(application, () => composing(application), failing());
    expect(answer).toMatchObject({
      outcome: 'composed',
      occupancy: tokens,
      counted: tokens,
      stages: ['drop-groups'],
      ladder: { rung: 'drop-groups', masked: 0, droppedGroups: expect.any(Number) },
    });
    invariant(answer.outcome === 'composed', 'it is');
    expect(answer.ladder?.tokens).toBeLessThanOrEqual(8_000);
    expect((await typesIn(application)).slice(-3)).toEqual([
      'CompactionFailed',
      'RequestComposed',
      'LadderEntered',
    ]);
    expect(await composing(application)).toEqual(answer); // Nothing has come: it is the same request.
  });

  // Holds rule 5.87.
  it('ends in an overflow with its floor if the last rung does not fit', async () => {
    const application = await filledSession(7_800, automatic);
    await say(application, 'novel', 'n'.repeat(4 * 9_900), 'user');
    const answer = withWorker(application, () => composing(application));
    await expect(answer).rejects.toMatchObject({
      code: 'context-overflow',
      message: expect.stringMatching(
        /rung drop-groups.*largest message is novel with 9905 billed tokens.*newest atomic group 9905.*ladder "truncate"/,
      ),
    });
    expect((await recordedEvents(application.log, ref)).at(-1)).toMatchObject({
      type: 'ContextOverflowed',
      data: { reason: 'ladder-exhausted', rung: 'drop-groups', budget: 9_900 },
    });
    const events = (await typesIn(application)).length;
    await expect(composing(application)).rejects.toMatchObject({ code: 'context-overflow' });
    expect(await typesIn(application)).toHaveLength(events);
  });

  it('measures the complete context, also after a bill for a shrunk request', async () => {
    const application = await filledSession(9_950, automatic);
    await withWorker(application, () => composing(application), failing());
    const usage = { ...bill(500), messageId: MessageId('answer') };
    const answer = textMessage('answer', 'so', 'assistant');
    await application.commands.execute(new AppendMessages(ref, [answer], caller, usage));
    expect((await recordedEvents(application.log, ref)).at(-1)).toMatchObject({
      type: 'UsageReported',
      data: { usage: { inputTokens: 500 }, countsFor: 'cost' },
    });
    const { state } = await application.sessions.load(ref);
    invariant(state.status === 'open', 'it is');
    expect(occupancy(state)).toBeGreaterThan(9_950);
  });

  it('shortens and marks one oversized message if the policy or the caller allows it', async () => {
    const application = await filledSession(7_800, automatic);
    await say(application, 'novel', `Start. ${'n '.repeat(2 * 9_900)} End.`, 'user');
    await expect(withWorker(application, () => composing(application))).rejects.toMatchObject({
      code: 'context-overflow',
    });
    const answer = await composing(application, { ladder: 'truncate', withBody: true });
    invariant(answer.outcome === 'composed', 'it is');
    const { body = '' } = answer;
    expect(answer).toMatchObject({
      ladderOption: 'truncate',
      ladder: {
        rung: 'truncate-messages',
        truncated: [{ messageId: 'novel', countedBefore: expect.any(Number) }],
      },
    });
    expect(body).toContain('<truncated-message message=\\"novel\\"');
    expect(body).toMatch(/Start\..* End\./s);
    expect(answer.ladder?.tokens).toBeLessThanOrEqual(9_900);
    expect(quarterCounter.count(body) + (answer.maxOutput ?? 0)).toBeLessThanOrEqual(10_000);
    const policy = { overrides: { ladder: 'truncate' } };
    await application.commands.execute(new ChangeSettings(ref, policy, caller));
    const again = await composing(application);
    expect(again).toMatchObject({ outcome: 'composed', digest: answer.digest });
  });

  it('returns the error if the policy or the caller disables it', async () => {
    const application = await filledSession(9_950, automatic);
    const off = withWorker(application, () => composing(application, { ladder: 'off' }), failing());
    await expect(off).rejects.toMatchObject({
      code: 'context-overflow',
      message: expect.stringContaining('the ladder is off'),
    });
    expect((await recordedEvents(application.log, ref)).at(-1)).toMatchObject({
      type: 'ContextOverflowed',
      data: {
        reason: 'ladder-disabled',
        remedies: expect.arrayContaining([expect.objectContaining({ remedy: 'compact' })]),
      },
    });
    expect(await composing(application)).toMatchObject({ outcome: 'composed', ladder: {} });
  });

  it('omits the remedy to compact if the provider rejects the credentials of the summarizer', async () => {
    const application = await filledSession(9_950, automatic);
    const refusing = new ScriptedSummarizer(() => {
      throw new SummarizerError('refused', { status: 401 });
    });
    const off = withWorker(application, () => composing(application, { ladder: 'off' }), refusing);
    await expect(off).rejects.toMatchObject({ code: 'context-overflow' });
    const overflow = (await recordedEvents(application.log, ref)).at(-1);
    invariant(overflow?.type === 'ContextOverflowed', 'it is recorded');
    const named = overflow.data.remedies.map(({ remedy }) => remedy);
    expect(named).toContain('reset');
    expect(named).not.toContain('compact');
  });

  it('records its start and end once and each use in the request', async () => {
    const application = await filledSession(9_950, automatic);
    const shown = async () => {
      const { budget } = await new ShowSessionHandler(application).execute(new ShowSession(ref));
      return budget.ladder;
    };
    await withWorker(application, () => composing(application), failing());
    expect(await shown()).toEqual({ requests: 1, rung: 'drop-groups' });
    await say(application, 'more', 'more', 'user');
    const second = await withWorker(application, () => composing(application), failing());
    expect(second).toMatchObject({ banner: { state: 'blocking', ladder: { requests: 2 } } });
    await application.commands.execute(new ResetSession(ref, { reason: 'enough', confirm: true }, caller));
    expect(await composing(application)).toMatchObject({ outcome: 'composed', banner: null });
    expect(await shown()).toBeNull();
    const told = (await typesIn(application)).filter((type) => type.startsWith('Ladder'));
    expect(told).toEqual(['LadderEntered', 'LadderExited']);
  });
});
