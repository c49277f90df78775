import { MessageId } from '@app/kernel';
import {
  call,
  caller,
  compactNow,
  explainCompaction,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  recordedEvents,
  requestCompaction,
  requestedCompaction,
  result,
  ScriptedSummarizer,
  sessionRef,
  textMessage,
} from '@app/testing';
import { AppendMessages } from '../../commands/append-messages.js';
import { RevertCompaction, RevertCompactionHandler } from '../../commands/compactions.js';
import { ChangeSettings } from '../../commands/sessions/change-settings.js';

const ref = sessionRef();
const never = new AbortController().signal;

const completed = async () => {
  const { application, id } = await requestedCompaction();
  await application.runner('w1').run(ref, id, 'cause', never);
  return { application, id };
};

describe('the explanation of a compaction', () => {
  it('gives trigger, cut and result', async () => {
    const { application, id } = await completed();
    const one = await explainCompaction(application, id);
    expect(one.why).toMatchObject({
      trigger: 'explicit',
      actor: 'tester',
      profile: 'core',
      window: 10_000,
      thresholds: { warning: 8_000, trigger: 8_000, critical: 9_500, blocking: 9_800 },
      withInstructions: false,
    });
    expect(one.plan).toMatchObject({
      stages: ['summarize'],
      cut: { messageId: 'q8' },
      splitTurn: false,
      carried: null,
      protectedTurns: { wanted: 4, kept: 4 },
      target: Math.floor((one.plan?.countedBefore ?? 0) * 0.9),
      targetRaised: null,
    });
    expect(one.outcome).toMatchObject({ status: 'completed', standing: { is: 'in-force' } });
    const { billedBefore = 0, billedAfter = 0 } = one.verified ?? {};
    const { kept = 0, ...cache } = one.promptCache ?? {};
    expect(cache).toEqual({
      rewritten: billedAfter - kept,
      savedPerRequest: billedBefore - billedAfter,
      breakEvenRequests: null,
    });
    expect(one.turns.map(({ rule }) => rule)).toEqual([
      ...Array(8).fill('summarized'),
      ...Array(4).fill('verbatim'),
    ]);
  });

  // Holds rule 5.21.
  it('names the covered messages with the sizes in the log', async () => {
    const { application, id } = await completed();
    const { covered, verified, previous } = await explainCompaction(application, id);
    const ids = Array.from({ length: 8 }, (_, turn) => [`q${turn}`, `a${turn}`]).flat();
    expect(covered).toMatchObject({ messages: 16, from: 'q0', to: 'a7', ids });
    const recorded = (await recordedEvents(application.log, ref)).find(
      ({ type }) => type === 'CompactionCompleted',
    );
    if (recorded?.type !== 'CompactionCompleted') throw new Error('it was completed');
    const { countedBefore, countedAfter, summaryTokens } = recorded.data;
    expect(verified).toMatchObject({ countedBefore, countedAfter, summaryTokens });
    expect(verified?.countedAfter).toBeLessThanOrEqual(verified?.countedLimit ?? 0);
    expect(previous).toBeNull();
    expect(verified?.fidelity?.score).toBeGreaterThanOrEqual(0);
    expect(verified?.fidelity?.missing.every((id) => ids.includes(id))).toBe(true);
  });

  // Holds rules 5.34, 6.2.
  it('names summarizer, input and error of each attempt', async () => {
    const { application, id } = await requestedCompaction();
    const summarizer = new ScriptedSummarizer(
      () => ({ text: '', finish: 'stop' }),
      () => ({ text: `## Goal\n${'long '.repeat(20_000)}\n## State\nx`, finish: 'stop' }),
    );
    await application.runner('w1', summarizer).run(ref, id, 'cause', never);
    const { attempts } = await explainCompaction(application, id);
    expect(attempts.map(({ attempt, outcome, error }) => [attempt, outcome, error?.rule])).toEqual([
      [1, 'failed', 'empty'],
      [2, 'failed', 'oversize'],
      [3, 'completed', undefined],
    ]);
    expect(attempts[1]?.oversize?.tokens).toBeGreaterThan(attempts[1]?.oversize?.countedLimit ?? 0);
    expect(attempts[0]).toMatchObject({ worker: 'w1', summarizer: { name: 'scripted', promptVersion: '1' } });
    expect(attempts[0]?.inputHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('describes the effect of the next compaction on it', async () => {
    const { application, id } = await completed();
    await playTurns(application, ref, 12, 20);
    const second = await compactNow(application);
    expect((await explainCompaction(application, id)).outcome).toMatchObject({
      standing: { is: 'superseded', by: second, kind: 'compaction' },
    });
    const next = await explainCompaction(application, second);
    expect(next).toMatchObject({ previous: id, outcome: { standing: { is: 'in-force' } } });
    expect(next.covered).toMatchObject({ from: 'q8', to: 'a15' });
  });

  it('describes its reversal and the previous compaction in force', async () => {
    const { application, id } = await completed();
    await playTurns(application, ref, 12, 20);
    const second = await compactNow(application);
    const handler = new RevertCompactionHandler(application);
    await handler.execute(new RevertCompaction(ref, { reason: 'too short' }, caller));
    expect((await explainCompaction(application, second)).outcome).toMatchObject({
      status: 'completed',
      standing: { is: 'reverted', reason: 'too short', restored: id },
    });
    expect((await explainCompaction(application, second)).covered?.ids).toHaveLength(16);
    expect((await explainCompaction(application, id)).outcome).toMatchObject({
      standing: { is: 'in-force' },
    });
  });
});

describe('the explanation of a compaction in a small window', () => {
  /** One turn with many steps, in a window that holds only a few of them. */
  const oneLongTurn = async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref, { window: 4_000 });
    const steps = Array.from({ length: 12 }, (_, step) => [
      { id: MessageId(`call${step}`), role: 'assistant', blocks: [call(`c${step}`)] } as const,
      {
        id: MessageId(`result${step}`),
        role: 'user',
        blocks: [result(`c${step}`, 'r'.repeat(900))],
      } as const,
    ]).flat();
    const messages = [textMessage('ask', 'Read everything.'), ...steps];
    await application.commands.execute(new AppendMessages(ref, messages, caller));
    const { compactionId } = await requestCompaction(application, ref);
    const short = () => ({ text: '## Goal\nRead.\n\n## State\nUnder way.', finish: 'stop' as const });
    await application.runner('w1', new ScriptedSummarizer(short)).run(ref, compactionId, 'cause', never);
    return { application, compactionId };
  };

  // Holds rule 5.43.
  it('shows the split of the newest turn, the retained part and the protected tokens', async () => {
    const { application, compactionId } = await oneLongTurn();
    const { plan, covered, turns, outcome } = await explainCompaction(application, compactionId);
    expect(outcome.status).toBe('completed');
    expect(plan).toMatchObject({
      splitTurn: true,
      carried: 'ask',
      protectedTurns: { wanted: 4, kept: 0 },
    });
    expect(covered?.from).toBe('call0');
    expect(covered?.ids).not.toContain('ask');
    expect(turns).toMatchObject([{ rule: 'split' }]);
  });
});

describe('the explanation of a compaction with a retained tail in tokens', () => {
  it('shows wanted and retained tokens and the trigger of its profile', async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref, { profile: 'tail' });
    await application.commands.execute(
      new ChangeSettings(ref, { overrides: { keepRecentTokens: 1_000 } }, caller),
    );
    await playTurns(application, ref, 0, 12);
    const { plan, why } = await explainCompaction(application, await compactNow(application));
    // An answer takes 305 tokens and a question 105: two turns and the answer before them come to it.
    expect(plan).toMatchObject({ protectedTurns: null, protectedTokens: { wanted: 1_000, kept: 1_125 } });
    expect(why.thresholds?.trigger).toBe(5_001);
  });
});
