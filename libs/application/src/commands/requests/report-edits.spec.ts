import type { ProviderEdits, SessionEventType, Usage } from '@app/domain';
import { Tokens } from '@app/kernel';
import {
  type Application,
  caller,
  compactNow,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  recordedEvents,
  say,
  sessionRef,
  textMessage,
} from '@app/testing';
import { GetContext, GetContextHandler } from '../../queries/get-context.js';
import { TraceMessage, TraceMessageHandler } from '../../queries/provenance/trace-message.js';
import { AppendMessages } from '../append-messages.js';
import { CheckBudget } from '../check-budget.js';
import { RevertCompaction } from '../compactions.js';
import { ChangeSettings } from '../sessions/change-settings.js';
import { ReportEdits } from './report-edits.js';

const ref = sessionRef();
const usage = (inputTokens: number, outputTokens: number): Usage => ({
  inputTokens: Tokens(inputTokens),
  cacheReadTokens: Tokens(0),
  cacheWriteTokens: Tokens(0),
  outputTokens: Tokens(outputTokens),
});
const nothing: ProviderEdits = { clearedToolUses: 0, clearedThinkingTurns: 0, clearedInputTokens: Tokens(0) };

const begun = async (overrides: ChangeSettings['input']['overrides'], turns = 12): Promise<Application> => {
  const application = openApplication(openMemoryLog());
  await openSession(application, ref);
  await application.commands.execute(new ChangeSettings(ref, { overrides: overrides ?? {} }, caller));
  await playTurns(application, ref, 0, turns);
  return application;
};
const report = ({ commands }: Application, edits: Partial<ProviderEdits>, responseId: string) =>
  commands.execute(new ReportEdits(ref, { edits: { ...nothing, ...edits }, responseId }, caller));
const contextOf = async ({ sessions }: Application) => {
  const { request } = await new GetContextHandler({ sessions }).execute(new GetContext(ref, 'anthropic'));
  return JSON.stringify(request);
};
const countOf = async ({ log }: Application, type: SessionEventType): Promise<number> =>
  (await recordedEvents(log, ref)).filter((event) => event.type === type).length;

/** Scenario 7: the provider compacts beside this engine. */
describe('ReportEdits in a session with its own compactions', () => {
  // Holds rule 5.79.
  it('records provider edits once with both costs, and the next manifest applies them', async () => {
    const application = await begun({ providerContextManagement: 'configured' });
    await application.commands.execute(
      new ChangeSettings(ref, { overrides: { keepRecentTurns: 3 } }, caller),
    );
    expect(await countOf(application, 'DuplicateCompactionConfigured')).toBe(1);

    const compactionId = await compactNow(application);
    const before = await contextOf(application);
    const edits = { clearedToolUses: 2, compaction: { usage: usage(4_000, 300) } };
    expect(await report(application, edits, 'msg_1')).toMatchObject({
      edited: { turn: 12, clearedToolUses: 2, compaction: { usage: usage(4_000, 300) } },
      duplicateCompaction: {
        compactionId,
        worker: 'provider',
        usage: usage(4_000, 300),
        applied: { worker: 'w1' },
      },
    });
    expect(await contextOf(application)).toBe(before);

    expect(await report(openApplication(application), edits, 'msg_1')).toEqual({
      edited: null,
      duplicateCompaction: null,
    });
    expect(await countOf(application, 'CompactionDuplicated')).toBe(1);
    await playTurns(application, ref, 12, 13);
    expect(await report(application, edits, 'msg_2')).toMatchObject({ duplicateCompaction: null });
  });
});

describe('an appended continuation', () => {
  /** A session in the middle of its thirteenth turn, which a compaction by threshold has interrupted. */
  const interrupted = async (): Promise<Application> => {
    const application = await begun({ autoContinue: true }, 18);
    const messages = [textMessage('now', 'And now?'), textMessage('step', 's'.repeat(4_000), 'assistant')];
    await application.commands.execute(new AppendMessages(ref, messages, caller));
    const { compactionId } = await application.commands.execute(new CheckBudget(ref, caller));
    if (!compactionId) throw new Error('the session is not full');
    await application.runner('w1').run(ref, compactionId, 'cause', new AbortController().signal);
    return application;
  };
  const provenance = async ({ sessions, log }: Application, message: string) =>
    new TraceMessageHandler({ sessions, log }).execute(new TraceMessage(ref, textMessage(message, '').id));
  const queuedIn = async ({ log }: Application) =>
    (await recordedEvents(log, ref)).flatMap((event) =>
      event.type === 'ContinuationQueued' ? [event.data] : [],
    );

  it('is recorded with its compaction, counted with the tokenizer of the session, and marked as not from the user', async () => {
    const application = await interrupted();
    const [queued] = await queuedIn(application);
    const events = await recordedEvents(application.log, ref);
    const appended = events.findLast(({ type }) => type === 'MessageAppended');
    expect(queued).toMatchObject({ turn: 19, reason: 'threshold' });
    expect(appended?.data).toMatchObject({ estimator: 'quarter', message: { id: queued?.messageId } });
    expect(await provenance(application, queued?.messageId ?? '')).toMatchObject({
      status: 'in-full',
      synthetic: 'continuation',
      turn: 19,
    });
    expect(await provenance(application, 'now')).not.toHaveProperty('synthetic');
  });

  it('is removed with its reverted compaction and says so', async () => {
    const application = await interrupted();
    const [queued] = await queuedIn(application);
    expect(await contextOf(application)).toContain('Go on with the work');
    await application.commands.execute(new RevertCompaction(ref, { reason: 'a mistake' }, caller));
    expect(await contextOf(application)).not.toContain('Go on with the work');
    expect(await contextOf(openApplication(application))).not.toContain('Go on with the work');
    expect(await provenance(application, queued?.messageId ?? '')).toMatchObject({ status: 'withdrawn' });
    await say(application, 'on', 'well', 'assistant');
    expect(await contextOf(openApplication(application))).toBe(await contextOf(application));
  });
});
