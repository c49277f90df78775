import { compose, decide, evolve, initialState, manifestOf, type SessionCommand } from '@app/domain';
import { Revision, Tokens } from '@app/kernel';
import {
  append,
  assistant,
  checkBudget,
  complete,
  completeTurn,
  composeRequest,
  eventsOf,
  open,
  openOf,
  PART_DIGESTS,
  request,
  run,
  SESSION,
  sessionOf,
  sized,
  specificationOf,
  start,
  turns,
  user,
} from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });

/** A session of five turns that fills `tokens` of 2,000: warning begins at 1,600, critical at 1,900, blocking at 1,960. */
const filled = (
  tokens: number,
  mode: 'automatic' | 'authorized' = 'authorized',
  window = 2_000,
): SessionCommand[] => [
  open({ window, profile: { keepRecentTurns: 1, mode } }),
  append(...turns(4), sized('u5', 'user', 100), sized('a5', 'assistant', tokens - 1_310)),
];
const past = (...commands: SessionCommand[]) => given(...eventsOf(...commands));

describe.each(['automatic', 'authorized'] as const)('composing in %s mode', (mode) => {
  it.each([
    [1_599, 'normal'],
    [1_600, 'warning'],
    [1_899, 'warning'],
  ])('composes a request of %i tokens and reports the state %s', (tokens, state) => {
    const [composed] = past(...filled(tokens, mode))
      .when(composeRequest({ revision: Revision(10) }))
      .events();
    expect(composed).toEqual({
      type: 'RequestComposed',
      data: {
        requestId: 'req-10-aaaaaaaaaaaa',
        parts: PART_DIGESTS,
        format: 'anthropic',
        revision: 10,
        turn: 5,
        occupancy: tokens,
        counted: tokens,
        window: 2_000,
        state,
        epoch: 0,
        stages: [],
        notes: [],
        digest: 'a'.repeat(64),
      },
    });
  });

  // Holds rules 4.7, 4.11.
  it.each([
    [1_900, 'critical', 'compaction-required', 1_900, 50],
    [1_959, 'critical', 'compaction-required', 1_900, 20],
    [1_960, 'blocking', 'blocking', 1_960, 20],
    [1_980, 'blocking', 'blocking', 1_960, 20],
  ])(
    'refuses a request of %i tokens, %s, with remedies and their effects',
    (tokens, state, reason, threshold, room) => {
      const after = openOf(run([...filled(tokens, mode), request(), start()])).compaction?.running?.target;
      const remedies = [
        { remedy: 'compact', billedAfter: after },
        { remedy: 'reset', billedAfter: 110 },
        { remedy: 'override', billedAfter: tokens, maxOutput: room },
        ...(mode === 'authorized' ? [{ remedy: 'shorten', billedAfter: expect.any(Number) }] : []),
        { remedy: 'use-larger-model', window: Math.max(Math.floor(tokens / 0.95) + 1, tokens + 20) },
      ];
      const largest = { messageId: 'a5', billedTokens: tokens - 1_310 };
      const refusal = {
        turn: 5,
        occupancy: tokens,
        window: 2_000,
        state,
        reason,
        threshold,
        remedies,
        largest,
      };
      expect(
        past(...filled(tokens, mode))
          .when(composeRequest())
          .events(),
      ).toEqual([{ type: 'RequestRefused', data: refusal }]);
    },
  );

  it('refuses nothing if the window is unlimited', () =>
    past(...filled(5_000, mode, 0))
      .when(composeRequest())
      .thenRecords('RequestComposed'));

  // Holds rule 4.9.
  it('reports a running compaction, and waiting for it as the remedy', () => {
    const [refused] = past(...filled(1_900, mode), request())
      .when(composeRequest())
      .events();
    expect(refused).toMatchObject({
      data: {
        reason: 'compaction-in-flight',
        remedies: [
          { remedy: 'wait' },
          { remedy: 'reset' },
          { remedy: 'override' },
          { remedy: 'use-larger-model' },
        ],
      },
    });
  });

  // Holds rule 4.12.
  it('composes requests again after the compaction', () =>
    past(...filled(1_980, mode), composeRequest(), request(), start(), complete())
      .when(composeRequest())
      .thenRecords('RequestComposed'));
});

// Holds rule 4.12.
it('offers neither a compaction nor a reset if there is nothing to drop', () => {
  const [refused] = past(open({ profile: { mode: 'authorized' } }), append(sized('u1', 'user', 1_900)))
    .when(composeRequest())
    .events();
  expect(refused).toMatchObject({
    data: {
      remedies: [
        { remedy: 'override' },
        { remedy: 'truncate-message', messageId: 'u1', billedTokens: 1_900, billedAfter: 1_600 },
        { remedy: 'use-larger-model' },
      ],
    },
  });
});

// Holds rule 4.6.
it('requests the required compaction for an automatic session, regardless of its trigger', () => {
  const late = { triggerAtShare: 1, keepRecentTurns: 1 };
  past(open({ profile: late }), ...filled(1_900).slice(1))
    .when(checkBudget())
    .thenRecords(
      'WarningThresholdReached',
      'CompactionRequired',
      'CompactionThresholdHit',
      'CompactionRequested',
    );
});

describe('an override', () => {
  // Holds rule 4.8.
  it('is recorded with its reason, and the request is composed', () => {
    const [overridden, composed] = past(...filled(1_900))
      .when(composeRequest({}, 'the demonstration'))
      .events();
    expect(overridden).toEqual({
      type: 'CompactionOverridden',
      data: { turn: 5, reason: 'the demonstration', occupancy: 1_900, threshold: 1_900 },
    });
    expect(composed).toMatchObject({ type: 'RequestComposed', data: { state: 'critical' } });
  });

  // Holds rule 4.8.
  it('applies to the whole turn and is recorded once', () => {
    const overridden = [
      ...filled(1_900),
      composeRequest({}, 'a demonstration'),
      append(assistant('a6', 'on')),
    ];
    past(...overridden)
      .when(composeRequest({ digest: 'b' }, 'again'))
      .thenRecords('RequestComposed');
    past(...overridden)
      .when(composeRequest({ digest: 'b' }))
      .thenRecords('RequestComposed');
  });

  // Holds rule 4.8.
  it('does not apply to the next turn', () =>
    past(...filled(1_900), composeRequest({}, 'a demonstration'), append(user('u6', 'and now?')))
      .when(composeRequest())
      .thenRecords('RequestRefused'));

  // Holds rule 4.10.
  it('applies as long as the request fits with the shortest answer, even in the blocking state', () => {
    for (const tokens of [1_960, 1_980])
      past(...filled(tokens))
        .when(composeRequest({}, 'a demonstration'))
        .thenRecords('CompactionOverridden', 'RequestComposed');
    past(...filled(1_981))
      .when(composeRequest({}, 'a demonstration'))
      .thenRecords('RequestRefused');
    past(...filled(1_900), composeRequest({}, 'a demonstration'), append(sized('a6', 'assistant', 80)))
      .when(composeRequest())
      .thenRecords('RequestComposed');
    past(...filled(1_900), composeRequest({}, 'a demonstration'), append(sized('a6', 'assistant', 81)))
      .when(composeRequest())
      .thenRecords('RequestRefused');
  });

  it('is not recorded if no request would be refused', () =>
    past(...filled(1_700))
      .when(composeRequest({}, 'to be safe'))
      .thenRecords('RequestComposed'));

  it('is refused without a reason', () =>
    past(...filled(1_900))
      .when(composeRequest({}, ' '))
      .thenRefuses('invalid-settings'));
});

describe('a repeated request', () => {
  it('is not recorded again without new events', () => {
    past(...filled(1_700), composeRequest())
      .when(composeRequest())
      .thenNothing();
    past(...filled(1_960), composeRequest())
      .when(composeRequest())
      .thenNothing();
  });

  it('is not recorded again if only a threshold crossing was recorded since', () =>
    past(...filled(1_700), composeRequest(), checkBudget())
      .when(composeRequest())
      .thenNothing());

  it('is recorded again for another format, and after any other event', () => {
    past(...filled(1_700), composeRequest())
      .when(composeRequest({ format: 'openai-chat' }))
      .thenRecords('RequestComposed');
    past(...filled(1_700), composeRequest(), completeTurn())
      .when(composeRequest())
      .thenRecords('RequestComposed');
    past(...filled(1_960), composeRequest(), append(assistant('a6', 'late')))
      .when(composeRequest())
      .thenRecords('RequestRefused');
  });
});

it('leaves context, budget and compactions unchanged', () => {
  const before = sessionOf(...filled(1_900));
  const after = openOf(run([...filled(1_900), composeRequest({}, 'a demonstration')]));
  const asked = { overriddenTurn: undefined, lastAnswer: undefined, request: before.request, requests: [] };
  expect({ ...after, ...asked }).toEqual(before);
  expect(compose(manifestOf(after), 'anthropic')).toEqual(compose(manifestOf(before), 'anthropic'));
});

it('rejects a closed session', () => {
  const close: SessionCommand = { type: 'CloseSession', data: { sessionId: SESSION, reason: 'done' } };
  past(...filled(Tokens(1_400)), close)
    .when(composeRequest())
    .thenRefuses('session-closed');
});
