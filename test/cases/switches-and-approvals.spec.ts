import {
  compose,
  decide,
  evolve,
  initialState,
  manifestOf,
  type OpenSession,
  type SessionCommand,
} from '@app/domain';
import { Tokens } from '@app/kernel';
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
  result,
  run,
  SESSION,
  sessionOf,
  specificationOf,
  start,
  user,
} from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });
const switchTo = (window: number): SessionCommand => ({
  type: 'SwitchModel',
  data: {
    sessionId: SESSION,
    model: 'claude-haiku-4-5',
    limits: { window: Tokens(window), windowSource: 'given' },
  },
});

describe('case 6: the model is switched to a smaller window between turns', () => {
  // 1,510 tokens: far below the trigger of 4,000, and above that of 1,800.
  const past = (): SessionCommand[] => [...compactable({ window: 4_000 }), completeTurn()];

  // Holds rule 5.8.
  it('makes the next check request a compaction, with the switch as reason', () => {
    given(...eventsOf(...past()))
      .when(checkBudget())
      .thenNothing();
    const events = given(...eventsOf(...past(), switchTo(1_800)))
      .when(checkBudget())
      .events();
    expect(events.at(-1)).toMatchObject({
      type: 'CompactionRequested',
      data: { trigger: 'model-switched', occupancy: 1_510, turn: 5 },
    });
  });

  it('requests nothing if the session fits anyway', () =>
    given(...eventsOf(...past(), switchTo(2_000)))
      .when(checkBudget())
      .thenNothing());

  it('results in a context that fits the smaller window', () => {
    const session = sessionOf(...past(), switchTo(1_800), checkBudget(), start('auto'), complete('auto'));
    expect(session.pivot?.compactionId).toBe('auto');
    expect(session.model).toBe('claude-haiku-4-5');
    expect(session.entriesTokens).toBeLessThan(1_800 * 0.48);
  });
});

describe('case 13: a pending approval', () => {
  // A person is asked whether the second call may run: it has no result for an unknown time.
  const asked: SessionCommand = append(
    user('u6', 'deploy it'),
    assistant('a6', call('ready'), call('approve', 'deploy')),
    user('r6', result('ready')),
  );
  const past = (): SessionCommand[] => [...compactable(), asked];
  const compacted = (): SessionCommand[] => [...past(), request(), start(), complete()];
  const openCallsIn = (session: OpenSession): boolean =>
    session.entries.some(({ message }) => message.id === 'a6') && session.abandonedCalls.length === 0;

  it('survives a compaction made while it is pending', () => {
    const session = sessionOf(...compacted());
    expect(session.pivot?.compactionId).toBe('c1');
    expect(openCallsIn(session)).toBe(true);
  });

  it('can be answered normally afterwards', () => {
    const session = sessionOf(...compacted(), append(user('yes', result('approve', 'approved'))));
    const { request: body } = compose(manifestOf(session), 'anthropic');
    const text = JSON.stringify(body);
    expect(text).toContain('"tool_use_id":"approve"');
    expect(text).toContain('approved');
    expect(session.turn).toBe(6);
  });

  it('is abandoned neither by checks, nor by a waiting compaction, nor by the end of its own turn', () => {
    const waited = run([
      ...past(),
      checkBudget(),
      request('c1', { trigger: 'requested-mid-turn' }),
      completeTurn('tool_use'),
      start(),
      complete(),
    ]);
    const types = waited.stream.map(({ event }) => event.type);
    expect(types).toContain('CompactionCompleted');
    expect(types).not.toContain('ToolCallAbandoned');
    expect(openCallsIn(openOf(waited))).toBe(true);
  });

  it('ends when the next turn ends without it', () => {
    const later = eventsOf(...past(), completeTurn(), append(user('u7', 'never mind')), completeTurn());
    expect(later.at(-1)).toMatchObject({
      type: 'ToolCallAbandoned',
      data: { calls: [{ messageId: 'a6', callId: 'approve' }], reason: 'unanswered-after-turn' },
    });
  });
});
