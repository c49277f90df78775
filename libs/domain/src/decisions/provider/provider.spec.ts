import {
  compose,
  decide,
  evolve,
  initialState,
  manifestOf,
  type OpenSession,
  type Profile,
  retentionInForce,
  type SessionCommand,
  type Usage,
} from '@app/domain';
import { CompactionId, Revision, Tokens } from '@app/kernel';
import {
  append,
  assistant,
  compactable,
  complete,
  eventsOf,
  open,
  openOf,
  reportEdits,
  request,
  run,
  SESSION,
  sessionOf,
  specificationOf,
  start,
  thinking,
  turns,
  user,
} from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });
const paid: Usage = {
  inputTokens: Tokens(900),
  cacheReadTokens: Tokens(0),
  cacheWriteTokens: Tokens(0),
  outputTokens: Tokens(80),
};
const settings = (session: OpenSession, change: Partial<Profile>): SessionCommand => ({
  type: 'ChangeSettings',
  data: { sessionId: SESSION, profile: { ...session.profile, ...change } },
});

describe('a second compaction by the provider', () => {
  const both = { providerContextManagement: 'configured' } as const;

  // Holds rule 5.78.
  it('is recorded when the session is opened', () =>
    given()
      .when(open({ profile: both }))
      .thenRecords('SessionOpened', 'DuplicateCompactionConfigured'));

  it('is not recorded if the profile compacts only on request', () =>
    given()
      .when(open({ profile: { ...both, mode: 'authorized' } }))
      .thenRecords('SessionOpened'));

  // Holds rule 5.78.
  it('is recorded when a settings change enables it, and again only after it was disabled', () => {
    const told = (...changes: readonly Partial<Profile>[]): number => {
      let played = run([open()]);
      for (const change of changes) played = run([settings(openOf(played), change)], played);
      return played.stream.filter(({ event }) => event.type === 'DuplicateCompactionConfigured').length;
    };
    expect(told(both)).toBe(1);
    expect(told(both, { keepRecentTurns: 2 })).toBe(1);
    expect(told(both, { mode: 'authorized' }, { mode: 'automatic' })).toBe(2);
  });

  it('is recorded in a fork, which is a session of its own', () => {
    const source = sessionOf(open({ profile: both }), append(...turns(2)));
    const command: SessionCommand = {
      type: 'ForkSession',
      data: {
        sessionId: SESSION,
        compactionId: CompactionId('f1'),
        from: { sessionId: SESSION, revision: Revision(3) },
        source,
      },
    };
    expect(decide(command, initialState).map(({ type }) => type)).toContain('DuplicateCompactionConfigured');
  });
});

describe('a context edit of the provider', () => {
  const edited = reportEdits({ clearedToolUses: 3, clearedInputTokens: Tokens(700) }, 'msg_1');

  // Holds rule 3.4.
  it('is recorded with the turn, and leaves the manifest unchanged', () => {
    const before = sessionOf(...compactable());
    given(...eventsOf(...compactable()))
      .when(edited)
      .then({
        type: 'ProviderContextEdited',
        data: {
          turn: 5,
          responseId: 'msg_1',
          clearedToolUses: 3,
          clearedThinkingTurns: 0,
          clearedInputTokens: Tokens(700),
          reasoningClearedIn: [],
        },
      });
    const after = sessionOf(...compactable(), edited);
    expect(compose(manifestOf(after), 'anthropic')).toEqual(compose(manifestOf(before), 'anthropic'));
  });

  it('is recorded once for the same answer, even after a compaction', () => {
    given(...eventsOf(...compactable(), edited))
      .when(edited)
      .thenNothing();
    given(...eventsOf(...compactable(), edited, request(), start(), complete()))
      .when(edited)
      .thenNothing();
  });

  it('is not recorded if nothing was edited', () =>
    given(...eventsOf(...compactable()))
      .when(reportEdits({}, 'msg_1'))
      .thenNothing());

  // Holds rule 3.4.
  it('may remove the reasoning of the oldest turns that have some', () => {
    const thoughtful = [1, 2, 3].flatMap((turn) => [
      user(`u${turn}`, 'go on'),
      assistant(`a${turn}`, ...(turn === 2 ? [] : [thinking(`about ${turn}`, `s${turn}`)]), 'done'),
    ]);
    const session = sessionOf(
      open(),
      append(...thoughtful),
      reportEdits({ clearedThinkingTurns: 1 }, 'msg_1'),
    );
    const reasoning = (of: OpenSession) => retentionInForce(of).map((turn) => turn.reasoning);
    expect(reasoning(session)).toEqual(['cleared-by-provider', 'none', 'verbatim']);
    const later = sessionOf(
      open(),
      append(...thoughtful),
      reportEdits({ clearedThinkingTurns: 1 }, 'msg_1'),
      reportEdits({}, 'msg_2'),
    );
    expect(reasoning(later)).toEqual(['verbatim', 'none', 'verbatim']);
  });
});

describe('a compaction by the provider', () => {
  const itsOwn = reportEdits({ compaction: { usage: paid } }, 'msg_1');
  const ours = [request(), start(), complete()];
  const both = {
    type: 'CompactionDuplicated',
    data: {
      compactionId: 'c1',
      attempt: 1,
      worker: 'provider',
      usage: paid,
      provider: { compacted: true, clearedToolUses: 0, clearedThinkingTurns: 0, clearedInputTokens: 0 },
      applied: { worker: 'w1' },
    },
  };

  // Holds rule 5.80.
  it('is recorded with both costs after one of ours in the same turn', () =>
    expect(
      given(...eventsOf(...compactable(), ...ours))
        .when(itsOwn)
        .events(),
    ).toMatchObject([{ type: 'ProviderContextEdited', data: { compaction: { usage: paid } } }, both]));

  // Holds rule 5.80.
  it('is recorded with both costs before one of ours in the same turn', () =>
    expect(
      given(...eventsOf(...compactable(), itsOwn, request(), start()))
        .when(complete())
        .events()
        .at(-1),
    ).toEqual(both));

  const cleared = (answer: string) =>
    reportEdits({ clearedToolUses: 2, clearedInputTokens: Tokens(70) }, answer);

  it('includes cleared tool uses and thinking, once per compaction for any number of cleared requests', () => {
    const double = {
      type: 'CompactionDuplicated',
      data: {
        worker: 'provider',
        provider: { compacted: false, clearedToolUses: 2, clearedInputTokens: 70 },
      },
    };
    expect(
      given(...eventsOf(...compactable(), ...ours))
        .when(cleared('msg_1'))
        .events(),
    ).toMatchObject([{ type: 'ProviderContextEdited' }, double]);
    given(...eventsOf(...compactable(), ...ours, cleared('msg_1')))
      .when(cleared('msg_2'))
      .thenRecords('ProviderContextEdited');
    expect(
      given(...eventsOf(...compactable(), cleared('msg_1'), request(), start()))
        .when(complete())
        .events()
        .at(-1),
    ).toMatchObject(double);
    given(...eventsOf(...compactable(), ...ours))
      .when(reportEdits({ clearedThinkingTurns: 1 }, 'msg_1'))
      .thenRecords('ProviderContextEdited', 'CompactionDuplicated');
  });

  it('is recorded with its cost beside ours although the provider cleared earlier', () =>
    given(...eventsOf(...compactable(), ...ours, cleared('msg_1')))
      .when(reportEdits({ compaction: { usage: paid } }, 'msg_2'))
      .thenRecords('ProviderContextEdited', 'CompactionDuplicated'));

  it('does not duplicate ours if a turn began in between', () => {
    const next = append(user('u6', 'next'));
    given(...eventsOf(...compactable(), ...ours, next))
      .when(itsOwn)
      .thenRecords('ProviderContextEdited');
    given(...eventsOf(...compactable(), itsOwn, next, request(), start()))
      .when(complete())
      .thenRecords('CompactionCompleted', 'CompactionApplied');
  });

  it('does not duplicate a reset', () => {
    const reset: SessionCommand = {
      type: 'ResetSession',
      data: { sessionId: SESSION, compactionId: CompactionId('r1'), reason: 'enough', confirm: true },
    };
    given(...eventsOf(...compactable(), reset))
      .when(itsOwn)
      .thenRecords('ProviderContextEdited');
  });
});
