import { CompactionId, MessageId } from '@app/kernel';
import {
  type Application,
  call,
  caller,
  gate,
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
import { CheckBudget } from '../../commands/check-budget.js';
import { ForkSession, ForkSessionHandler } from '../../commands/managing/fork-session.js';
import { ResetSession, ResetSessionHandler } from '../../commands/managing/reset-session.js';
import { RevertCompaction, RevertCompactionHandler } from '../../commands/revert-compaction.js';
import { ExplainCompaction, ExplainCompactionHandler } from './explain-compaction.js';
import type { CompactionExplanation, Explanation } from './explanation.js';

const ref = sessionRef();
const never = new AbortController().signal;

const explain = ({ sessions, log }: Application, id: string, of = ref): Promise<Explanation> =>
  new ExplainCompactionHandler(sessions, log).execute(new ExplainCompaction(of, CompactionId(id)));
const explained = async (application: Application, id: string): Promise<CompactionExplanation> => {
  const explanation = await explain(application, id);
  if (explanation.kind !== 'compaction') throw new Error(`${id} is a ${explanation.kind}`);
  return explanation;
};
const compact = async (application: Application): Promise<CompactionId> => {
  const { compactionId } = await requestCompaction(application, ref);
  await application.runner('w1').run(ref, compactionId, 'cause', never);
  return compactionId;
};
const completed = async () => {
  const { application, id } = await requestedCompaction();
  await application.runner('w1').run(ref, id, 'cause', never);
  return { application, id };
};

describe('a compaction, explained', () => {
  it('tells why it was, why it cut there, and what came of it', async () => {
    const { application, id } = await completed();
    const one = await explained(application, id);
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
      target: Math.floor((one.plan?.tokensBefore ?? 0) * 0.9),
      targetRaised: null,
    });
    expect(one.outcome).toMatchObject({ status: 'completed', standing: { is: 'in-force' } });
    expect(one.turns.map(({ rule }) => rule)).toEqual([
      ...Array(8).fill('summarized'),
      ...Array(4).fill('verbatim'),
    ]);
  });

  it('names the messages that it covers, and measures itself as the log does', async () => {
    const { application, id } = await completed();
    const { covered, verified, previous } = await explained(application, id);
    const ids = Array.from({ length: 8 }, (_, turn) => [`q${turn}`, `a${turn}`]).flat();
    expect(covered).toMatchObject({ messages: 16, from: 'q0', to: 'a7', ids });
    const recorded = (await recordedEvents(application.log, ref)).find(
      ({ type }) => type === 'CompactionCompleted',
    );
    if (recorded?.type !== 'CompactionCompleted') throw new Error('it was completed');
    const { tokensBefore, tokensAfter, summaryTokens } = recorded.data;
    expect(verified).toMatchObject({ before: tokensBefore, after: tokensAfter, summaryTokens });
    expect(verified?.after).toBeLessThanOrEqual(verified?.atMost ?? 0);
    expect(previous).toBeNull();
  });

  it('tells the summarizer of each attempt, with its input and why it failed', async () => {
    const { application, id } = await requestedCompaction();
    const summarizer = new ScriptedSummarizer(
      () => ({ text: '', finish: 'stop' }),
      () => ({ text: `## Goal\n${'long '.repeat(20_000)}\n## State\nx`, finish: 'stop' }),
    );
    await application.runner('w1', summarizer).run(ref, id, 'cause', never);
    const { attempts } = await explained(application, id);
    expect(attempts.map(({ attempt, outcome, error }) => [attempt, outcome, error?.rule])).toEqual([
      [1, 'failed', 'empty'],
      [2, 'failed', 'oversize'],
      [3, 'completed', undefined],
    ]);
    expect(attempts[1]?.oversize?.tokens).toBeGreaterThan(attempts[1]?.oversize?.atMost ?? 0);
    expect(attempts[0]).toMatchObject({ worker: 'w1', summarizer: { name: 'scripted', promptVersion: '1' } });
    expect(attempts[0]?.inputHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('tells what the next one made of it', async () => {
    const { application, id } = await completed();
    await playTurns(application, ref, 12, 20);
    const second = await compact(application);
    expect((await explained(application, id)).outcome).toMatchObject({
      standing: { is: 'superseded', by: second, kind: 'compaction' },
    });
    const next = await explained(application, second);
    expect(next).toMatchObject({ previous: id, outcome: { standing: { is: 'in-force' } } });
    expect(next.covered).toMatchObject({ from: 'q8', to: 'a15' });
  });

  it('tells that it was reverted, and that the one before is in force again', async () => {
    const { application, id } = await completed();
    await playTurns(application, ref, 12, 20);
    const second = await compact(application);
    const handler = new RevertCompactionHandler(application.sessions);
    await handler.execute(new RevertCompaction(ref, { reason: 'too short' }, caller));
    expect((await explained(application, second)).outcome).toMatchObject({
      status: 'completed',
      standing: { is: 'reverted', reason: 'too short', restored: id },
    });
    expect((await explained(application, second)).covered?.ids).toHaveLength(16);
    expect((await explained(application, id)).outcome).toMatchObject({ standing: { is: 'in-force' } });
  });
});

describe('a compaction in a narrow window, explained', () => {
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

  it('tells that the newest turn was split, what stays of it, and how little was protected', async () => {
    const { application, compactionId } = await oneLongTurn();
    const { plan, covered, turns, outcome } = await explained(application, compactionId);
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

describe('a compaction that came to nothing, explained', () => {
  it('waits for a worker', async () => {
    const { application, id } = await requestedCompaction();
    expect(await explained(application, id)).toMatchObject({
      outcome: { status: 'waiting' },
      plan: null,
      attempts: [],
      covered: null,
      verified: null,
    });
  });

  it('was skipped, with the rule and its numbers', async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref);
    await playTurns(application, ref, 0, 2);
    const { compactionId } = await requestCompaction(application, ref);
    expect((await explained(application, compactionId)).outcome).toMatchObject({
      status: 'skipped',
      reason: { rule: 'nothing-to-drop', messages: 4 },
    });
  });

  it('failed, with the last error', async () => {
    const { application, id } = await requestedCompaction();
    const nothing = () => ({ text: '', finish: 'stop' }) as const;
    await application
      .runner('w1', new ScriptedSummarizer(nothing, nothing, nothing))
      .run(ref, id, 'cause', never);
    const { outcome, covered } = await explained(application, id);
    expect(outcome).toMatchObject({ status: 'failed', attempts: 3, error: { rule: 'empty' } });
    expect(covered?.ids).toHaveLength(16);
  });

  it('was taken over from a lost worker, whose late result is told', async () => {
    const { application, id } = await requestedCompaction();
    const { turn, open, arrived } = gate();
    const running = application.runner('w1', new ScriptedSummarizer(turn)).run(ref, id, 'cause', never);
    await arrived;
    expect((await explained(application, id)).outcome).toEqual({ status: 'running' });
    await application.runner('w2').run(ref, id, 'cause', never);
    open();
    await running;
    const { attempts, lateResults, outcome } = await explained(application, id);
    expect(attempts.map(({ worker, error, outcome: end }) => [worker, end, error?.rule])).toEqual([
      ['w1', 'failed', 'worker-lost'],
      ['w2', 'completed', undefined],
    ]);
    expect(lateResults).toEqual([{ attempt: 1, worker: 'w1', usage: null }]);
    expect(outcome.status).toBe('completed');
  });

  it('was given up by a reset, which is explained too', async () => {
    const { application, id } = await requestedCompaction();
    const handler = new ResetSessionHandler(application.sessions);
    const reset = await handler.execute(new ResetSession(ref, { confirm: true, reason: 'anew' }, caller));
    expect((await explained(application, id)).outcome).toMatchObject({ status: 'cancelled', by: 'reset' });
    const cleared = await explain(application, reset?.compactionId ?? '');
    expect(cleared).toMatchObject({
      kind: 'reset',
      reason: 'anew',
      carried: 'q11',
      standing: { is: 'in-force' },
    });
    expect(cleared.kind === 'reset' && cleared.cleared.ids).toHaveLength(23);
  });
});

describe('what is explained', () => {
  it('is an automatic one too, by its threshold', async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref);
    await playTurns(application, ref, 0, 20);
    const { compactionId } = await application.commands.execute(new CheckBudget(ref, caller));
    const { why } = await explained(application, compactionId ?? '');
    expect(why.trigger).toBe('threshold');
    expect(why.occupancy).toBeGreaterThanOrEqual(why.thresholds?.trigger ?? Number.POSITIVE_INFINITY);
  });

  it('is where a fork comes from', async () => {
    const { application, id } = await completed();
    const as = sessionRef('forked');
    const handler = new ForkSessionHandler(application.sessions);
    await handler.execute(new ForkSession(ref, { as: as.session }, caller));
    expect(await explain(application, id, as)).toMatchObject({
      kind: 'fork',
      session: 'forked',
      from: { sessionId: 'some' },
      standing: { is: 'in-force' },
    });
  });

  it('is refused where there is no such compaction, or no such session', async () => {
    const { application } = await completed();
    await expect(explain(application, 'nosuch')).rejects.toMatchObject({ code: 'compaction-not-found' });
    await expect(explain(application, 'nosuch', sessionRef('none'))).rejects.toMatchObject({
      code: 'session-not-found',
    });
  });

  it('holds nothing of what was said', async () => {
    const { application, id } = await completed();
    expect(JSON.stringify(await explain(application, id))).not.toMatch(/question|answer|Finish everything/);
  });
});
