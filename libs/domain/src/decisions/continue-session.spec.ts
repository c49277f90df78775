import {
  compose,
  decide,
  evolve,
  fold,
  initialState,
  manifestOf,
  occupancy,
  type Profile,
  type SessionCommand,
  withoutReverted,
} from '@app/domain';
import { CompactionId, Tokens } from '@app/kernel';
import {
  append,
  assistant,
  call,
  checkBudget,
  compactable,
  complete,
  completeTurn,
  eventsOf,
  openOf,
  request,
  run,
  SESSION,
  type SessionRun,
  sized,
  specificationOf,
  start,
  user,
} from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });

/** Four turns that have ended and a fifth in which the model is at work, in a window that is too small for them. */
const atWork = (profile: Partial<Profile> = {}): SessionCommand[] =>
  compactable({ window: 1_800, profile: { autoContinue: true, ...profile } });
const threshold = [checkBudget('c1'), start()];
const overflow: readonly SessionCommand[] = [
  { type: 'ReportOverflow', data: { sessionId: SESSION, compactionId: CompactionId('c1') } },
  start(),
];
const COMPLETED = ['CompactionCompleted', 'CompactionApplied'] as const;
/** Each of them has been above `warnAtShare` before. */
const CALMED = [...COMPLETED, 'OccupancyFell'] as const;
const CONTINUED = [...COMPLETED, 'ContinuationQueued', 'MessageAppended', 'OccupancyFell'] as const;
const bytesOf = (played: SessionRun): string =>
  JSON.stringify(compose(manifestOf(openOf(played)), 'anthropic').request);

describe('work that a compaction interrupted', () => {
  // Holds rule 5.28.
  it('continues with a message of this engine in the same append', () => {
    const expectation = given(...eventsOf(...atWork(), ...threshold)).when(complete());
    expectation.thenRecords(...CONTINUED);
    const [, , queued, appended] = expectation.events();
    expect(queued?.data).toEqual({
      compactionId: 'c1',
      messageId: 'continuation-c1',
      turn: 5,
      reason: 'threshold',
    });
    expect(appended?.data).toMatchObject({
      message: { id: 'continuation-c1', role: 'user', synthetic: 'continuation' },
    });
  });

  it('continues after an overflow', () =>
    given(...eventsOf(...atWork(), ...overflow))
      .when(complete())
      .thenRecords(...COMPLETED, 'ContinuationQueued', 'MessageAppended'));

  it('continues after a switch to a smaller window', () => {
    const { limits } = openOf(run([...compactable({ profile: { autoContinue: true } })]));
    const smaller = { ...limits, window: openOf(run(atWork())).limits.window };
    const switched: SessionCommand = {
      type: 'SwitchModel',
      data: { sessionId: SESSION, model: 'claude-opus-4-1', limits: smaller },
    };
    const past = [...compactable({ profile: { autoContinue: true } }), switched, ...threshold];
    expect(
      given(...eventsOf(...past))
        .when(complete())
        .events()[2]?.data,
    ).toMatchObject({
      reason: 'model-switched',
    });
  });

  // Holds rule 5.28.
  it('does not continue if the profile disables it', () =>
    given(...eventsOf(...atWork({ autoContinue: false }), ...threshold))
      .when(complete())
      .thenRecords(...CALMED));

  // Holds rule 5.29.
  it('does not continue after a manual compaction', () =>
    given(...eventsOf(...atWork(), request(), start()))
      .when(complete())
      .thenRecords(...COMPLETED));

  // Holds rule 5.29.
  it('does not continue if the turn has ended', () =>
    given(...eventsOf(...atWork(), completeTurn(), ...threshold))
      .when(complete())
      .thenRecords(...CALMED));

  it('does not continue if the next turn has begun', () =>
    given(...eventsOf(...atWork(), ...threshold, append(user('u6', 'next'), assistant('a6', 'well'))))
      .when(complete())
      .thenRecords(...CALMED));

  // Holds rule 5.29.
  it('does not continue if the question has no answer yet', () =>
    given(...eventsOf(...atWork(), completeTurn(), append(user('u6', 'next?')), ...threshold))
      .when(complete())
      .thenRecords(...CALMED));

  // Holds rule 5.29.
  it('does not continue while a call waits for its result', () => {
    const calls = append(user('u6', 'next?'), assistant('a6', call('c6')));
    given(...eventsOf(...atWork(), completeTurn(), calls, ...threshold))
      .when(complete())
      .thenRecords(...CALMED);
  });

  it('continues once, even if the result is reported repeatedly', () =>
    given(...eventsOf(...atWork(), ...threshold, complete()))
      .when(complete())
      .thenNothing());
});

describe('the continuation message', () => {
  it('is recorded once until the assistant answers', () => {
    const played = run([...atWork({ keepRecentTurns: 2, maxSummaryShare: 0.2 }), ...threshold, complete()]);
    const limits = { ...openOf(played).limits, window: Tokens(600) };
    const switched: SessionCommand = {
      type: 'SwitchModel',
      data: { sessionId: SESSION, model: 'claude-opus-4-1', limits },
    };
    const again = run([switched, checkBudget('c2'), start('c2'), complete('c2')], played).stream;
    const queued = again.filter(({ event }) => event.type === 'ContinuationQueued');
    expect(again.findLast(({ event }) => event.type === 'CompactionApplied')?.event.data).toMatchObject({
      compactionId: 'c2',
    });
    expect(queued).toHaveLength(1);
  });

  const continued = (): SessionRun => run([...atWork(), ...threshold, complete()]);

  it('begins no turn', () => {
    expect(openOf(continued())).toMatchObject({ turn: 5, turnCompleted: 0, messages: 11 });
  });

  it('follows the retained messages as user text', () => {
    const { messages } = compose(manifestOf(openOf(continued())), 'anthropic').request;
    const last = messages.at(-1);
    expect(last?.role).toBe('user');
    expect(JSON.stringify(last)).toContain('Go on with the work of this turn');
    expect(JSON.stringify(messages)).not.toContain('synthetic');
  });

  it('does not count as new content that a second overflow could be compacted for', () => {
    const played = continued();
    const again: SessionCommand = {
      type: 'ReportOverflow',
      data: { sessionId: SESSION, compactionId: CompactionId('c2') },
    };
    expect(run([again], played).stream.at(-1)?.event.type).toBe('OverflowReported');
    const more = run([append(sized('a6', 'assistant', 900))], played);
    expect(run([again], more).stream.at(-1)?.event.type).toBe('CompactionRequested');
  });

  it('leaves the context with a reverted compaction, and stays counted', () => {
    const before = run([...atWork(), ...threshold]);
    const after = run([complete()], before);
    const compactionId = CompactionId('c1');
    const without = fold(initialState, withoutReverted(after.stream, new Set([compactionId])));
    const revert: SessionCommand = {
      type: 'RevertCompaction',
      data: { sessionId: SESSION, compactionId, reason: 'a mistake', without },
    };
    const reverted = run([revert], after);
    expect(bytesOf(reverted)).toBe(bytesOf(before));
    expect(occupancy(openOf(reverted))).toBe(occupancy(openOf(before)));
    expect(openOf(reverted).messages).toBe(openOf(before).messages + 1);
    const on = openOf(run([append(assistant('a7', 'on'))], reverted));
    expect(on.entries.at(-1)).toMatchObject({ position: 11, turn: 5 });
    const again = run([request('c2'), start('c2'), complete('c2')], reverted);
    expect(openOf(again)).toMatchObject({ messages: 11, turn: 5 });
  });

  it('does not count as user text in the fidelity of the next summary', () => {
    const played = run([completeTurn(), append(...moreTurns())], continued());
    const compacted = run([request('c2'), start('c2'), complete('c2')], played);
    const completed = compacted.stream.findLast(({ event }) => event.type === 'CompactionCompleted')?.event;
    expect(completed?.data).toMatchObject({ fidelity: { directives: { of: 0 } } });
  });
});

const moreTurns = () =>
  [6, 7, 8].flatMap((turn) => [sized(`u${turn}`, 'user', 150), sized(`a${turn}`, 'assistant', 150)]);
