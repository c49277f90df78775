import { decide, evolve, initialState, type SessionCommand } from '@app/domain';
import { CompactionId } from '@app/kernel';
import {
  append,
  checkBudget,
  compactable,
  complete,
  completeTurn,
  deferCompactions,
  eventsOf,
  releaseCompactions,
  request,
  SESSION,
  sessionOf,
  sized,
  specificationOf,
  start,
  user,
} from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });
const afterTurn = (id = 'c1') => request(id, { trigger: 'requested-mid-turn' });
const typesOf = (...commands: readonly SessionCommand[]): string[] =>
  eventsOf(...commands).map(({ type }) => type);
const last = (...commands: readonly SessionCommand[]) => eventsOf(...commands).at(-1);

/** Nothing can be dropped: everything is protected. */
const STRICT = { keepRecentTurns: 5, protection: 'strict' as const };

/** Five turns, 1,510 of 1,800 tokens; the last one is going on. */
const due = (): SessionCommand[] => compactable({ window: 1_800 });

describe('held automatic compactions', () => {
  it('are deferred once, with the source of the hold', () => {
    const [, , deferred] = given(...eventsOf(...due(), deferCompactions('turn-end')))
      .when(checkBudget())
      .events();
    expect(deferred).toMatchObject({
      type: 'CompactionDeferred',
      data: {
        compactionId: 'auto',
        trigger: 'threshold',
        until: 'turn-end',
        by: 'workflow',
        reason: 'a migration',
      },
    });
    given(...eventsOf(...due(), deferCompactions('turn-end'), checkBudget()))
      .when(checkBudget('again'))
      .thenNothing();
  });

  it('run when the turn ends', () =>
    expect(last(...due(), deferCompactions('turn-end'), checkBudget(), completeTurn())).toMatchObject({
      type: 'CompactionRequested',
      data: { compactionId: 'auto', trigger: 'threshold' },
    }));

  it('are no longer held in the next turn', () =>
    given(...eventsOf(...due(), deferCompactions('turn-end'), completeTurn()))
      .when(checkBudget())
      .thenRecords('WarningThresholdReached', 'CompactionThresholdHit', 'CompactionRequested'));

  // Holds rule 5.9.
  it('run when they are released, and not before', () => {
    const held = [...due(), deferCompactions('released'), checkBudget(), completeTurn()];
    expect(typesOf(...held).at(-1)).toBe('TurnCompleted');
    given(...eventsOf(...held))
      .when(releaseCompactions())
      .thenRecords('CompactionsReleased', 'CompactionRequested');
    given(...eventsOf(...held, releaseCompactions()))
      .when(releaseCompactions())
      .thenNothing();
  });

  // Holds rule 5.10.
  it('run before a request that would be refused otherwise', () =>
    expect(
      last(
        ...due(),
        deferCompactions('released'),
        checkBudget(),
        append(sized('big', 'assistant', 220)),
        checkBudget('again'),
      ),
    ).toMatchObject({
      type: 'CompactionRequested',
      data: { compactionId: 'auto' },
    }));

  // Holds rule 5.9.
  it('do not delay compactions of the user or a workflow', () => {
    for (const trigger of ['explicit', 'policy'] as const) {
      given(...eventsOf(...due(), deferCompactions('released')))
        .when(request('c1', { trigger }))
        .thenRecords('CompactionRequested');
    }
  });

  it('do not wait beyond the turn for a later request', () => {
    const wanted = [...due(), deferCompactions('released'), checkBudget(), afterTurn('c2')];
    expect(last(...wanted)).toMatchObject({
      type: 'CompactionDeferred',
      data: { compactionId: 'auto', trigger: 'requested-mid-turn', until: 'turn-end' },
    });
    given(...eventsOf(...wanted))
      .when(releaseCompactions())
      .thenRecords('CompactionsReleased');
    expect(last(...wanted, completeTurn())).toMatchObject({
      type: 'CompactionRequested',
      data: { compactionId: 'auto', trigger: 'requested-mid-turn' },
    });
  });

  it('stay held through a compaction and a reset until they are released', () => {
    const compacted = [...due(), deferCompactions('released'), request(), start(), complete()];
    expect(sessionOf(...compacted).hold).toMatchObject({ until: 'released', by: 'workflow' });
    const reset: SessionCommand = {
      type: 'ResetSession',
      data: { sessionId: SESSION, compactionId: CompactionId('r1'), reason: 'enough', confirm: true },
    };
    expect(sessionOf(...compacted, append(user('u6', 'on')), reset).hold).toBeDefined();
    expect(sessionOf(...compacted, releaseCompactions()).hold).toBeUndefined();
  });

  it('are held with a reason, once for the same source', () => {
    given(...eventsOf(...due()))
      .when(deferCompactions('released', ' '))
      .thenRefuses('invalid-settings');
    given(...eventsOf(...due(), deferCompactions('released')))
      .when(deferCompactions('released'))
      .thenNothing();
    given(...eventsOf(...due(), deferCompactions('released')))
      .when(deferCompactions('turn-end'))
      .thenRecords('CompactionsHeld');
  });
});

describe('an idle session', () => {
  const idle = (id = 'c1') => request(id, { trigger: 'idle' });
  const profile = { idleAfterMinutes: 30, idleAtShare: 0.5 };
  const resting = (window = 2_000): SessionCommand[] => compactable({ window, profile });

  // Holds rule 5.7.
  it('is compacted from its idle threshold on', () => {
    given(...eventsOf(...resting(3_020)))
      .when(idle())
      .thenRecords('CompactionThresholdHit', 'CompactionRequested');
    given(...eventsOf(...resting(3_021)))
      .when(idle())
      .thenNothing();
  });

  it('is not compacted again without new messages since the last compaction', () => {
    const eager = compactable({ profile: { ...profile, idleAtShare: 0.1 } });
    const kept = request('c0', { profile: { keepRecentTurns: 3 } });
    const compacted = [...eager, kept, start('c0'), complete('c0')];
    given(...eventsOf(...compacted))
      .when(idle())
      .thenNothing();
    given(...eventsOf(...compacted, append(user('u6', 'and now?'))))
      .when(idle())
      .thenRecords('CompactionThresholdHit', 'CompactionRequested');
  });

  it.each<[string, SessionCommand[]]>([
    ['without an idle time in its profile', compactable({ profile: { idleAtShare: 0.5 } })],
    ['in mode authorized', compactable({ profile: { ...profile, mode: 'authorized' } })],
    ['with an unlimited window', resting(0)],
    ['with nothing to drop', compactable({ profile: { ...profile, ...STRICT } })],
    ['with held compactions', [...resting(), deferCompactions('released')]],
    ['with a deferred compaction', [...resting(), afterTurn('c0')]],
  ])('%s is not compacted', (_, past) =>
    given(...eventsOf(...past))
      .when(idle())
      .thenNothing(),
  );
});
