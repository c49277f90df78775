import type { CompactionId } from '@app/kernel';
import {
  type Application,
  caller,
  explain,
  explainCompaction,
  openApplication,
  openMemoryLog,
  openSession,
  playTurns,
  recordedEvents,
  sessionRef,
  textMessage,
} from '@app/testing';
import { AppendMessages } from '../../commands/append-messages.js';
import { CheckBudget } from '../../commands/check-budget.js';
import { RequestCompaction } from '../../commands/compactions.js';
import { CompleteTurn } from '../../commands/complete-turn.js';
import { DeferCompactions } from '../../commands/sessions/defer-compactions.js';

const ref = sessionRef();
const never = new AbortController().signal;

/** A session in whose last turn a compaction is due, and held back. */
const held = async () => {
  const application = openApplication(openMemoryLog());
  await openSession(application, ref);
  await playTurns(application, ref, 0, 20);
  await application.commands.execute(new AppendMessages(ref, [textMessage('ask', 'And now?')], caller));
  await application.commands.execute(
    new DeferCompactions(ref, { until: 'released', reason: 'a migration' }, caller),
  );
  await application.commands.execute(new CheckBudget(ref, caller));
  return { application, id: await waitingIn(application) };
};
const waitingIn = async ({ sessions }: Application): Promise<CompactionId> => {
  const { state } = await sessions.load(ref);
  if (state.status !== 'open' || !state.deferred) throw new Error('a compaction waits');
  return state.deferred.compactionId;
};
const wantedAfterTurn = ({ commands }: Application) =>
  commands.execute(new RequestCompaction(ref, { trigger: 'requested-mid-turn' }, caller));
const turnEnds = ({ commands }: Application) => commands.execute(new CompleteTurn(ref, 'end_turn', caller));
const givenUp = ({ sessions }: Application, compactionId: CompactionId) => {
  const data = { sessionId: ref.session, compactionId, reason: 'enough' };
  return sessions.execute(ref, { type: 'CancelCompaction', data }, caller);
};
/** Where events of a type stand. */
const revisionsOf = async ({ log }: Application, type: string) =>
  (await recordedEvents(log, ref)).flatMap((event, at) => (event.type === type ? [at] : []));

describe('the explanation of a deferred compaction', () => {
  // Holds rule 5.90.
  it('lists each deferral with its end, actor and reason', async () => {
    const { application, id } = await held();
    await wantedAfterTurn(application);
    await turnEnds(application);
    await application.runner('w1').run(ref, id, 'cause', never);
    const { why, outcome } = await explainCompaction(application, id);
    const [first, second] = await revisionsOf(application, 'CompactionDeferred');
    expect(why.deferred).toEqual([
      {
        revision: first,
        at: expect.any(String),
        trigger: 'threshold',
        until: 'released',
        by: 'tester',
        reason: 'a migration',
      },
      {
        revision: second,
        at: expect.any(String),
        trigger: 'requested-mid-turn',
        until: 'turn-end',
        by: 'tester',
        reason: 'a turn is going on',
      },
    ]);
    expect([why.revision]).toEqual(await revisionsOf(application, 'CompactionRequested'));
    expect(outcome).toMatchObject({ status: 'completed', standing: { is: 'in-force' } });
  });

  it('has no deferral for a compaction that did not wait', async () => {
    const application = openApplication(openMemoryLog());
    await openSession(application, ref);
    await playTurns(application, ref, 0, 20);
    const { compactionId } = await application.commands.execute(new CheckBudget(ref, caller));
    expect((await explainCompaction(application, compactionId ?? '')).why.deferred).toEqual([]);
  });

  it('gives the trigger while the compaction waits', async () => {
    const { application, id } = await held();
    expect(await explainCompaction(application, id)).toMatchObject({
      outcome: { status: 'deferred' },
      why: { trigger: 'threshold', window: 10_000, deferred: [{ reason: 'a migration' }] },
      plan: null,
      attempts: [],
      covered: null,
      verified: null,
    });
    await wantedAfterTurn(application);
    expect((await explainCompaction(application, id)).why).toMatchObject({
      trigger: 'requested-mid-turn',
      deferred: [{ until: 'released' }, { until: 'turn-end' }],
    });
  });

  // Holds rule 5.90.
  it('gives the reason of one that was abandoned before its request', async () => {
    const { application, id } = await held();
    await wantedAfterTurn(application);
    await givenUp(application, id);
    expect(await explainCompaction(application, id)).toMatchObject({
      outcome: { status: 'cancelled', by: 'caller', reason: 'enough' },
      why: { deferred: [{ until: 'released' }, { until: 'turn-end' }] },
      plan: null,
      attempts: [],
    });
  });

  it('rejects an unknown ID', async () => {
    const { application } = await held();
    await expect(explain(application, 'nosuch')).rejects.toMatchObject({ code: 'compaction-not-found' });
  });
});
