import {
  caller,
  explain,
  explainCompaction,
  gate,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  requestCompaction,
  requestedCompaction,
  ScriptedSummarizer,
  sessionRef,
} from '@app/testing';
import { CheckBudget } from '../../commands/check-budget.js';
import { ForkSession, ForkSessionHandler } from '../../commands/sessions/fork-session.js';
import { ResetSession, ResetSessionHandler } from '../../commands/sessions/reset-session.js';

const ref = sessionRef();
const never = new AbortController().signal;

const completed = async () => {
  const { application, id } = await requestedCompaction();
  await application.runner('w1').run(ref, id, 'cause', never);
  return { application, id };
};

describe('the explanation of a compaction without a result', () => {
  it('says that it waits for a worker', async () => {
    const { application, id } = await requestedCompaction();
    expect(await explainCompaction(application, id)).toMatchObject({
      outcome: { status: 'waiting' },
      plan: null,
      attempts: [],
      covered: null,
      verified: null,
    });
  });

  it('gives the rule and the numbers of a skipped one', async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref);
    await playTurns(application, ref, 0, 2);
    const { compactionId } = await requestCompaction(application, ref);
    expect((await explainCompaction(application, compactionId)).outcome).toMatchObject({
      status: 'skipped',
      reason: { rule: 'nothing-to-drop', messages: 4 },
    });
  });

  it('gives the last error of a failed one', async () => {
    const { application, id } = await requestedCompaction();
    const nothing = () => ({ text: '', finish: 'stop' }) as const;
    await application
      .runner('w1', new ScriptedSummarizer(nothing, nothing, nothing))
      .run(ref, id, 'cause', never);
    const { outcome, covered } = await explainCompaction(application, id);
    expect(outcome).toMatchObject({ status: 'failed', attempts: 3, error: { rule: 'empty' } });
    expect(covered?.ids).toHaveLength(16);
  });

  it('names a late result of a lost worker', async () => {
    const { application, id } = await requestedCompaction();
    const { turn, open, arrived } = gate();
    const running = application.runner('w1', new ScriptedSummarizer(turn)).run(ref, id, 'cause', never);
    await arrived;
    expect((await explainCompaction(application, id)).outcome).toEqual({ status: 'running' });
    await application.runner('w2').run(ref, id, 'cause', never);
    open();
    await running;
    const { attempts, lateResults, outcome } = await explainCompaction(application, id);
    expect(attempts.map(({ worker, error, outcome: end }) => [worker, end, error?.rule])).toEqual([
      ['w1', 'failed', 'worker-lost'],
      ['w2', 'completed', undefined],
    ]);
    expect(lateResults).toEqual([{ attempt: 1, worker: 'w1', usage: null, cost: null }]);
    expect(outcome.status).toBe('completed');
  });

  it('names the reset that replaced it', async () => {
    const { application, id } = await requestedCompaction();
    const handler = new ResetSessionHandler(application);
    const reset = await handler.execute(new ResetSession(ref, { confirm: true, reason: 'anew' }, caller));
    expect((await explainCompaction(application, id)).outcome).toMatchObject({
      status: 'cancelled',
      by: 'reset',
    });
    const cleared = await explain(application, reset.reset ? reset.compactionId : '');
    expect(cleared).toMatchObject({
      kind: 'reset',
      reason: 'anew',
      carried: 'q11',
      standing: { is: 'in-force' },
    });
    expect(cleared.kind === 'reset' && cleared.cleared.ids).toHaveLength(23);
  });
});

describe('explanations', () => {
  it('cover automatic compactions with their threshold', async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref);
    await playTurns(application, ref, 0, 20);
    const { compactionId } = await application.commands.execute(new CheckBudget(ref, caller));
    const { why } = await explainCompaction(application, compactionId ?? '');
    expect(why.trigger).toBe('threshold');
    expect(why.occupancy).toBeGreaterThanOrEqual(why.thresholds?.trigger ?? Number.POSITIVE_INFINITY);
  });

  it('cover the origin of a fork', async () => {
    const { application, id } = await completed();
    const as = sessionRef('forked');
    const handler = new ForkSessionHandler(application);
    await handler.execute(new ForkSession(ref, { as: as.session }, caller));
    expect(await explain(application, id, as)).toMatchObject({
      kind: 'fork',
      session: 'forked',
      from: { sessionId: 'some' },
      standing: { is: 'in-force' },
    });
  });

  it('reject an unknown compaction or session', async () => {
    const { application } = await completed();
    await expect(explain(application, 'nosuch')).rejects.toMatchObject({ code: 'compaction-not-found' });
    await expect(explain(application, 'nosuch', sessionRef('none'))).rejects.toMatchObject({
      code: 'session-not-found',
    });
  });

  it('contain no message content', async () => {
    const { application, id } = await completed();
    expect(JSON.stringify(await explain(application, id))).not.toMatch(/question|answer|Finish everything/);
  });
});
