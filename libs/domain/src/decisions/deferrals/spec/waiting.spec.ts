import { decide, evolve, initialState, type SessionCommand } from '@app/domain';
import { Actor, CompactionId } from '@app/kernel';
import {
  append,
  assistant,
  checkBudget,
  compactable,
  complete,
  completeTurn,
  deferCompactions,
  eventsOf,
  openOf,
  request,
  run,
  SESSION,
  sessionOf,
  sized,
  specificationOf,
  start,
  user,
} from '@app/testing';
import { requested } from '../../requested.js';
import { stateAfter } from '../../state-after.js';

const given = specificationOf({ initialState, evolve, decide });
const afterTurn = (id = 'c1') => request(id, { trigger: 'requested-mid-turn' });
const typesOf = (...commands: readonly SessionCommand[]): string[] =>
  eventsOf(...commands).map(({ type }) => type);
const last = (...commands: readonly SessionCommand[]) => eventsOf(...commands).at(-1);

/** Nothing can be dropped: everything is protected. */
const STRICT = { keepRecentTurns: 5, protection: 'strict' as const };

/** Five turns, 1,510 of 1,800 tokens; the last one is going on. */
const due = (): SessionCommand[] => compactable({ window: 1_800 });

describe('a compaction that is requested during a turn', () => {
  // Holds rule 5.5.
  it('is deferred, with its source and the moment at which it will run', () => {
    const asked = { ...afterTurn(), data: { ...afterTurn().data, by: Actor('alice') } };
    const [deferred, ...more] = given(...eventsOf(...compactable()))
      .when(asked)
      .events();
    expect(more).toEqual([]);
    expect(deferred).toMatchObject({
      type: 'CompactionDeferred',
      data: {
        compactionId: 'c1',
        trigger: 'requested-mid-turn',
        until: 'turn-end',
        by: 'alice',
        turn: 5,
        occupancy: 1_510,
      },
    });
  });

  // Holds rule 5.5.
  it('is requested under its id when the turn ends', () => {
    expect(typesOf(...compactable(), afterTurn(), completeTurn()).slice(-2)).toEqual([
      'TurnCompleted',
      'CompactionRequested',
    ]);
    expect(last(...compactable(), afterTurn(), completeTurn())).toMatchObject({
      data: { compactionId: 'c1', trigger: 'requested-mid-turn', turn: 5 },
    });
  });

  it('keeps its instructions and its policy', () =>
    expect(
      last(
        ...compactable(),
        request('c1', {
          trigger: 'requested-mid-turn',
          instructions: 'the numbers',
          profile: { keepRecentTurns: 2 },
        }),
        completeTurn(),
      ),
    ).toMatchObject({ data: { instructions: 'the numbers', profile: { keepRecentTurns: 2 } } }));

  it('counts as a manual compaction: a later overflow may request another', () => {
    const kept = { trigger: 'requested-mid-turn' as const, profile: { keepRecentTurns: 3 } };
    given(...eventsOf(...compactable(), request('c1', kept), completeTurn(), start(), complete()))
      .when({ type: 'ReportOverflow', data: { sessionId: SESSION, compactionId: CompactionId('c2') } })
      .thenRecords('OverflowReported', 'CompactionThresholdHit', 'CompactionRequested');
  });

  it('runs at once if no turn is open', () =>
    given(...eventsOf(...compactable(), completeTurn()))
      .when(afterTurn())
      .thenRecords('CompactionRequested'));

  it('is skipped when the turn ends with nothing to drop', () =>
    expect(typesOf(...compactable({ profile: STRICT }), afterTurn(), completeTurn())).toEqual(
      expect.arrayContaining(['CompactionDeferred', 'TurnCompleted', 'CompactionSkipped']),
    ));

  it('is cancelled by a reset and by closing the session, with an event', () => {
    const past = eventsOf(...compactable(), afterTurn());
    const reset: SessionCommand = {
      type: 'ResetSession',
      data: { sessionId: SESSION, compactionId: CompactionId('r1'), reason: 'enough', confirm: true },
    };
    given(...past)
      .when(reset)
      .thenRecords('CompactionCancelled', 'SessionReset');
    given(...past)
      .when({ type: 'CloseSession', data: { sessionId: SESSION, reason: 'done' } })
      .thenRecords('CompactionCancelled', 'SessionClosed');
    expect(typesOf(...compactable(), afterTurn(), reset, completeTurn()).at(-1)).toBe('TurnCompleted');
  });

  it('can be cancelled before it begins, once', () => {
    const cancel: SessionCommand = {
      type: 'CancelCompaction',
      data: { sessionId: SESSION, compactionId: CompactionId('c1'), reason: 'not now' },
    };
    given(...eventsOf(...compactable(), afterTurn()))
      .when(cancel)
      .thenRecords('CompactionCancelled');
    given(...eventsOf(...compactable(), afterTurn(), cancel))
      .when(cancel)
      .thenNothing();
    expect(typesOf(...compactable(), afterTurn(), cancel, completeTurn()).at(-1)).toBe('TurnCompleted');
  });
});

describe('the start of a deferral', () => {
  const found = (type: string, events = eventsOf(...due(), afterTurn())) =>
    events.findIndex((event) => event.type === type);

  it('is recorded in the request that ends it', () => {
    const ended: SessionCommand[][] = [[completeTurn()], [request('c2')]];
    for (const end of ended)
      expect(last(...due(), afterTurn(), ...end)).toMatchObject({
        data: { compactionId: 'c1', deferredAt: found('CompactionDeferred') },
      });
  });

  it('is kept by a second deferral', () => {
    const held = [...due(), deferCompactions('released'), checkBudget()];
    const deferredAt = found('CompactionDeferred', eventsOf(...held));
    const anew = eventsOf(...held, afterTurn('c2'), completeTurn());
    expect(anew[deferredAt]?.data).not.toHaveProperty('deferredAt');
    expect(anew.filter(({ type }) => type === 'CompactionDeferred')[1]).toMatchObject({
      data: { deferredAt },
    });
    expect(anew.at(-1)).toMatchObject({ type: 'CompactionRequested', data: { deferredAt } });
  });

  it('is absent from another compaction and from one that was not deferred', () => {
    const all = { profile: STRICT };
    const skipped = eventsOf(...compactable(all), afterTurn(), request('c2', all));
    expect(skipped.find(({ type }) => type === 'CompactionRequested')?.data).not.toHaveProperty('deferredAt');
    expect(last(...compactable(), request())?.data).not.toHaveProperty('deferredAt');
  });

  it('is absent if the deferral and the request are in one append, because its event has no revision yet', () => {
    const waits = given(...eventsOf(...due()))
      .when(afterTurn())
      .events()
      .reduce(stateAfter, sessionOf(...due()));
    expect(waits.deferred).toBeDefined();
    expect(waits.deferred && requested(waits, waits.deferred).data).not.toHaveProperty('deferredAt');
  });
});

describe('case 17: a request while a compaction is deferred', () => {
  it('joins it if it is of the same kind', () =>
    given(...eventsOf(...compactable(), afterTurn()))
      .when(afterTurn('c2'))
      .thenNothing());

  it('runs it at once under its id if it may run at once', () =>
    expect(last(...compactable(), afterTurn(), request('c2'))).toMatchObject({
      type: 'CompactionRequested',
      data: { compactionId: 'c1', trigger: 'explicit' },
    }));

  it('leaves it deferred if there is nothing to drop', () => {
    const all = STRICT;
    const asked = run([...compactable({ profile: all }), afterTurn(), request('c2', { profile: all })]);
    expect(openOf(asked)).toMatchObject({ deferred: { compactionId: 'c1' }, compaction: undefined });
  });

  it('defers a request by the budget as well while requests fit', () =>
    given(...eventsOf(...due(), afterTurn()))
      .when(checkBudget())
      .thenRecords('WarningThresholdReached', 'CompactionThresholdHit'));

  it('runs it under its id before a request that would be refused', () =>
    expect(last(...due(), afterTurn(), append(sized('big', 'assistant', 220)), checkBudget())).toMatchObject({
      type: 'CompactionRequested',
      data: { compactionId: 'c1', trigger: 'threshold' },
    }));

  it('joins a compaction in flight', () => {
    given(...eventsOf(...compactable(), request(), start()))
      .when(afterTurn('c2'))
      .thenNothing();
    given(...eventsOf(...due(), checkBudget('auto'), start('auto')))
      .when(request('c2'))
      .thenNothing();
  });
});

describe('case 18: messages that arrive while a deferred compaction runs', () => {
  it('are all kept, including the turn that they begin', () => {
    const session = sessionOf(
      ...compactable(),
      afterTurn(),
      completeTurn(),
      start(),
      append(user('u6', 'and now?'), assistant('a6', 'now this')),
      complete(),
    );
    expect(session.pivot?.compactionId).toBe('c1');
    expect(session.entries.slice(-2).map(({ message }) => message.id)).toEqual(['u6', 'a6']);
    expect(session.turn).toBe(6);
  });
});

describe('a manual compaction during a turn', () => {
  const refusing = { profile: { explicitMidTurn: 'refuse' as const } };

  // Holds rule 5.6.
  it('is refused if the profile refuses it', () =>
    given(...eventsOf(...compactable(refusing)))
      .when(request())
      .thenRefuses('turn-in-progress'));

  it('runs after the turn has ended', () =>
    given(...eventsOf(...compactable(refusing), completeTurn()))
      .when(request())
      .thenRecords('CompactionRequested'));

  it('is not refused if a workflow forces it, or if the profile lets it run', () => {
    given(...eventsOf(...compactable(refusing)))
      .when(request('c1', { trigger: 'policy' }))
      .thenRecords('CompactionRequested');
    given(...eventsOf(...compactable()))
      .when(request())
      .thenRecords('CompactionRequested');
  });
});
