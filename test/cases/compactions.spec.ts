import {
  compose,
  decide,
  evolve,
  initialState,
  manifestOf,
  type OpenSession,
  pivotFactsOf,
  rebuild,
  type SessionCommand,
  WIRE_FORMATS,
  type WireFormat,
} from '@app/domain';
import {
  append,
  assistant,
  call,
  checkBudget,
  compactable,
  complete,
  completeTurn,
  eventsOf,
  filler,
  goodSummary,
  open,
  openOf,
  request,
  result,
  run,
  sessionOf,
  sized,
  specificationOf,
  start,
  summaryOfSize,
  tailOf,
  turns,
  user,
} from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });
const bytesOf = (session: OpenSession, format: WireFormat = 'anthropic'): string =>
  JSON.stringify(compose(manifestOf(session), format).request);
const compact = (id: string, words: string): SessionCommand[] => [
  request(id),
  start(id),
  complete(id, { summary: { text: goodSummary(words) } }),
];
const recordsIn = (session: OpenSession): number =>
  bytesOf(session).match(/<conversation-record/g)?.length ?? 0;

describe('case 15: a second and a third compaction', () => {
  const history = run([
    ...compactable(),
    ...compact('c1', 'the first of three'),
    append(...turns(5, 150, 6)),
    ...compact('c2', 'the second of three'),
    append(...turns(5, 150, 11)),
    ...compact('c3', 'the third of three'),
  ]);

  // Holds rule 5.21.
  it('all complete, each from the cut of the previous one', () => {
    const completed = history.stream.flatMap(({ event }) =>
      event.type === 'CompactionCompleted' ? [event.data] : [],
    );
    expect(completed.map(({ covered }) => covered)).toEqual([
      { from: 'u1', to: 'a4', messages: 8 },
      { from: 'u5', to: 'a9', messages: 10 },
      { from: 'u10', to: 'a14', messages: 10 },
    ]);
    expect(completed.map(({ opening }) => opening.compactions)).toEqual([1, 2, 3]);
  });

  it('leave only the latest summary in the context', () => {
    const session = openOf(history);
    expect(recordsIn(session)).toBe(1);
    expect(bytesOf(session)).toContain('the third of three');
    expect(bytesOf(session)).not.toMatch(/the (?:first|second) of three/);
    expect(session.entries.map(({ message }) => message.id)).toEqual(['u15', 'a15']);
  });

  it('are restored from the latest one, at every revision', () => {
    for (const at of history.stream.keys()) {
      expect(rebuild(tailOf(history.stream.slice(0, at + 1)))).toStrictEqual(history.states[at]);
    }
    expect(tailOf(history.stream).pivot?.before.length).toBeLessThan(10);
  });
});

describe('case 16: a legacy record between a call and its result', () => {
  const history = run([
    open({ window: 4_000, profile: { keepRecentTurns: 2 } }),
    append(...turns(5, 300), user('u6', 'go'), assistant('a6', call('x'))),
    ...compact('c1', 'the old one'),
    append(user('r6', result('x')), assistant('b6', filler(400)), ...turns(3, 150, 7)),
    request('c2', { profile: { keepRecentTurns: 4 } }),
    start('c2'),
    complete('c2', { summary: { text: goodSummary('the new one') } }),
    append(user('u10', 'on')),
  ]);

  it('is part of the events in that range', () => {
    const { pivot } = tailOf(history.stream);
    const types = pivot?.before.map(({ event }) => event.type) ?? [];
    expect(pivot && pivotFactsOf(pivot.event).cut?.messageId).toBe('u6');
    expect(types.indexOf('CompactionCompleted')).toBeGreaterThan(0);
  });

  // Holds rule 1.16.
  it('is not rendered, and does not separate call and result', () => {
    const session = openOf(history);
    const { request, violations } = compose(manifestOf(session), 'anthropic');
    expect(violations).toEqual([]);
    expect(recordsIn(session)).toBe(1);
    const called = request.messages.findIndex((one) => JSON.stringify(one).includes('"type":"tool_use"'));
    expect(called).toBeGreaterThan(0);
    expect(request.messages[called + 1]).toMatchObject({ role: 'user', content: [result('x')] });
  });

  it('is skipped by a rebuild', () =>
    expect(rebuild(tailOf(history.stream))).toStrictEqual(history.states.at(-1)));
});

describe('case 17: concurrent requests for a compaction', () => {
  it('make one compaction for any number of requesters', () => {
    const asked = eventsOf(...compactable(), request('c1'));
    given(...asked)
      .when(request('c2'))
      .thenNothing();
    given(...asked)
      .when(checkBudget('c3'))
      .thenNothing();
  });

  it('make one compaction if the user requests it during an automatic one', () => {
    const automatic = [
      ...compactable(),
      append(sized('u6', 'user', 150)),
      checkBudget('auto'),
      start('auto'),
    ];
    given(...eventsOf(...automatic))
      .when(request('mine'))
      .thenNothing();
    given(...eventsOf(...automatic, complete('auto')))
      .when(request('auto'))
      .thenNothing();
  });
});

describe('case 18: messages appended while the summarizer runs', () => {
  const meanwhile = [
    user('u6', 'and another thing'),
    assistant('a6', call('x')),
    user('r6', result('x')),
    assistant('b6', filler(900)),
  ];

  // Holds rule 5.20.
  it('are all kept in order, and do not invalidate the result', () => {
    const session = sessionOf(
      ...compactable(),
      request(),
      start(),
      append(...meanwhile),
      completeTurn(),
      complete(),
    );
    expect(session.entries.map(({ message }) => message.id)).toEqual(['u5', 'a5', 'u6', 'a6', 'r6', 'b6']);
    expect(compose(manifestOf(session), 'anthropic').violations).toEqual([]);
  });

  it('are kept if they arrive between request and start', () => {
    const session = sessionOf(...compactable(), request(), append(...meanwhile), start(), complete());
    // The request has fixed the cut.
    expect(session.entries.map(({ message }) => message.id)).toEqual(['u5', 'a5', 'u6', 'a6', 'r6', 'b6']);
    expect(compose(manifestOf(session), 'anthropic').violations).toEqual([]);
  });
});

describe('case 26: a failed compaction', () => {
  const running = [...compactable(), request(), start()];

  // Holds rule 5.63.
  it.each<[string, SessionCommand]>([
    ['an empty summary', complete('c1', { summary: { text: '' } })],
    ['blanks', complete('c1', { summary: { text: ' \n ' } })],
    ['a summary that was cut off', complete('c1', { summary: { finish: 'length' } })],
    ['a filtered summary', complete('c1', { summary: { finish: 'filtered' } })],
    ['a tool call', complete('c1', { summary: { finish: 'tool-call' } })],
    ['a refusal', complete('c1', { summary: { text: 'I cannot help with that.' } })],
    ['missing sections', complete('c1', { summary: { text: 'All is well.' } })],
    ['a summary longer than its budget', complete('c1', { summary: { text: summaryOfSize(500) } })],
    ['invalid Unicode', complete('c1', { summary: { text: `${goodSummary()}\udc00` } })],
    [
      'a timeout',
      { type: 'FailAttempt', data: { ...complete().data, error: { rule: 'timeout', detail: '120 s' } } },
    ],
    ['a second worker', start('c1', 'w2')],
  ])('by %s leaves the composed context byte-identical', (_, failing) => {
    const before = sessionOf(...running);
    const after = sessionOf(...running, failing);
    expect(after.pivot).toBeUndefined();
    for (const format of WIRE_FORMATS) expect(bytesOf(after, format)).toBe(bytesOf(before, format));
  });

  it('leaves the context byte-identical after the final attempt, and is in the log', () => {
    const failing = [1, 2, 3].flatMap((attempt) => [
      start(),
      complete('c1', { attempt, summary: { text: '' } }),
    ]);
    const history = run([...compactable(), request(), ...failing]);
    expect(history.stream.at(-1)?.event).toMatchObject({
      type: 'CompactionFailed',
      data: { attempts: 3, error: { rule: 'empty' } },
    });
    expect(bytesOf(openOf(history))).toBe(bytesOf(sessionOf(...compactable())));
    expect(openOf(history).compaction).toBeUndefined();
  });
});

describe('case 29: replay from zero', () => {
  // Holds rule 6.1.
  it('returns byte-identical contexts as of every revision, for both providers', () => {
    const history = run([
      open({ profile: { keepRecentTurns: 2 } }),
      append(
        ...turns(5, 170),
        user('u6', 'go'),
        assistant('a6', call('x'), call('x')),
        user('r6', result('x')),
      ),
      checkBudget('c1'),
      start(),
      append(user('u7', 'and?')),
      complete(),
      append(...turns(5, 150, 8)),
      completeTurn(),
      ...compact('c2', 'more'),
    ]);
    // As the log returns it.
    const stored = history.stream.map(({ event, revision }) => ({
      event: JSON.parse(JSON.stringify(event)),
      revision,
    }));
    for (const at of stored.keys()) {
      const replayed = stored.slice(0, at + 1).reduce(evolve, initialState);
      const state = history.states[at];
      if (replayed.status !== 'open' || state?.status !== 'open')
        throw new Error('the session is open from its first event on');
      for (const format of WIRE_FORMATS) expect(bytesOf(replayed, format)).toBe(bytesOf(state, format));
    }
    expect(openOf(history).compactions).toBe(2);
  });
});
