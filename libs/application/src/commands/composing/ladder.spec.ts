import { AppendMessages } from '@app/application';
import { occupancy, type RequestBill, type SessionEventType } from '@app/domain';
import { invariant, MessageId, Tokens } from '@app/kernel';
import {
  type Application,
  caller,
  composing,
  filledSession,
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
describe('an automatic session that no compaction helps', () => {
  it.each([9_600, 9_900])(
    'goes down the ladder at %d tokens where the compaction failed, and says so',
    async (tokens) => {
      const application = await filledSession(tokens, automatic);
      const answer = await withWorker(application, () => composing(application), failing());
      expect(answer).toMatchObject({
        outcome: 'composed',
        tokens,
        stages: ['drop-groups'],
        ladder: { rung: 'drop-groups', masked: 0, droppedGroups: expect.any(Number) },
      });
      invariant(answer.outcome === 'composed', 'it is');
      expect(answer.ladder?.tokens).toBeLessThan(9_500);
      expect((await typesIn(application)).slice(-2)).toEqual(['CompactionFailed', 'RequestComposed']);
      expect(await composing(application)).toEqual(answer); // Nothing has come: it is the same request.
    },
  );

  it('ends in an overflow with its floor where not even the last rung fits', async () => {
    const application = await filledSession(7_800, automatic);
    await say(application, 'novel', 'n'.repeat(4 * 9_600), 'user');
    const answer = withWorker(application, () => composing(application));
    await expect(answer).rejects.toMatchObject({
      code: 'context-overflow',
      message: expect.stringMatching(/rung drop-groups.*newest atomic group 9605/),
    });
    expect((await recordedEvents(application.log, ref)).at(-1)).toMatchObject({
      type: 'ContextOverflow',
      data: { because: 'ladder-used-up', rung: 'drop-groups', budget: 9_499 },
    });
    const events = (await typesIn(application)).length;
    await expect(composing(application)).rejects.toMatchObject({ code: 'context-overflow' });
    expect(await typesIn(application)).toHaveLength(events);
  });

  it('is measured by its whole, whatever a provider bills for a request on the ladder', async () => {
    const application = await filledSession(9_600, automatic);
    await withWorker(application, () => composing(application), failing());
    const usage = { ...bill(500), messageId: MessageId('answer') };
    const answer = textMessage('answer', 'so', 'assistant');
    await application.commands.execute(new AppendMessages(ref, [answer], caller, usage));
    expect((await recordedEvents(application.log, ref)).at(-1)).toMatchObject({ data: { shortened: true } });
    const { state } = await application.sessions.load(ref);
    invariant(state.status === 'open', 'it is');
    expect(occupancy(state)).toBeGreaterThan(9_600);
  });
});
