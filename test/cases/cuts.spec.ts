import {
  compose,
  type Message,
  manifestOf,
  type OpenSession,
  type Plan,
  prepare,
  type SessionCommand,
  WIRE_FORMATS,
} from '@app/domain';
import {
  append,
  assistant,
  call,
  complete,
  completeTurn,
  filler,
  image,
  open,
  openOf,
  request,
  result,
  run,
  sessionOf,
  sized,
  start,
  system,
  thinking,
  turns,
  user,
} from '@app/testing';

const planOf = (session: OpenSession): Plan => {
  const plan = prepare(session);
  if (plan.kind === 'none') throw new Error(`no plan: ${JSON.stringify(plan.reason)}`);
  return plan;
};
const compacted = (...commands: SessionCommand[]): OpenSession =>
  openOf(run([...commands, request(), start(), complete()]));
const keptIn = ({ entries }: OpenSession): string[] => entries.map(({ message }) => message.id);
const expectValid = (session: OpenSession): void => {
  expect(session.compactions).toBe(1);
  for (const format of WIRE_FORMATS) expect(compose(manifestOf(session), format).violations).toEqual([]);
};
const one = { profile: { keepRecentTurns: 1 } };

describe('case 7: a cut among mixed message kinds', () => {
  const mixed = (n: number): Message[] => [
    user(`u${n}`, 'look at this', image()),
    assistant(`a${n}`, thinking('hm', `s${n}`), call(`c${n}`)),
    system(`s${n}`, filler(200)),
    user(`r${n}`, result(`c${n}`, filler(600))),
    assistant(`b${n}`, 'done'),
    user(`e${n}`),
  ];
  it.each([1, 2, 3, 4])('keeps %d turns, and never begins at a result', (keepRecentTurns) => {
    const session = sessionOf(
      open({ profile: { keepRecentTurns } }),
      append(...[1, 2, 3, 4, 5, 6].flatMap(mixed)),
    );
    const { cut, retained } = planOf(session);
    expect(cut.messageId).toMatch(/^[ua]\d$/);
    expect(retained[0]?.message.blocks.some(({ type }) => type === 'tool_result')).toBe(false);
    expectValid(
      compacted(open({ profile: { keepRecentTurns } }), append(...[1, 2, 3, 4, 5, 6].flatMap(mixed))),
    );
  });
});

describe('case 8: the newest results alone exceed the tail budget', () => {
  const past = [
    open(),
    append(
      ...turns(2, 120),
      user('u3', 'go'),
      assistant('a3', call('x'), call('y')),
      user('r3', result('x', filler(2_000)), result('y', filler(2_000))),
    ),
  ];

  // Holds rule 5.40.
  it('cuts at the assistant message of their calls', () => {
    const plan = planOf(sessionOf(...past));
    expect(plan.cut.messageId).toBe('a3');
    expect(plan.carried?.message.id).toBe('u3');
    expect(plan.targetRaised).toMatchObject({ from: 960 });
  });
  it('results in a valid context', () => {
    const session = compacted(...past);
    expect(keptIn(session)).toEqual(['u3', 'a3', 'r3']);
    expectValid(session);
  });
});

describe('case 9: one huge turn', () => {
  const step = (n: number) => [
    assistant(`a${n}`, call(`c${n}`)),
    user(`r${n}`, result(`c${n}`, filler(1_000))),
  ];
  const past = [open(), append(user('u1', 'fix everything'), ...[1, 2, 3, 4, 5, 6].flatMap(step))];

  // Holds rule 5.2.
  it('is split at an atomic group, keeps its question, and passes on instructions', () => {
    const history = run([...past, request('c1', { instructions: 'keep the numbers' }), start(), complete()]);
    const session = openOf(history);
    expect(keptIn(session)[0]).toBe('u1');
    expect(session.pivot?.retention).toEqual([expect.objectContaining({ turn: 1, rule: 'split' })]);
    expect(
      history.stream.find(({ event }) => event.type === 'CompactionRequested')?.event.data,
    ).toMatchObject({ instructions: 'keep the numbers' });
    expectValid(session);
  });
});

describe('case 10: a parallel batch at the boundary', () => {
  it.each([2, 3, 4])('of %d calls is kept whole, for any position of its results', (size) => {
    const ids = Array.from({ length: size }, (_, at) => `c${at}`);
    const [first, ...others] = ids;
    const past = [
      open(one),
      append(
        ...turns(5, 140),
        user('u6', 'go'),
        assistant('a6', ...ids.map((id) => call(id))),
        user('r6', result(first ?? '')),
        user('u7', ...others.map((id) => result(id)), 'and now?'),
        assistant('a7', 'done'),
      ),
    ];
    expect(planOf(sessionOf(...past)).cut.messageId).toBe('a6');
    const session = compacted(...past);
    expect(keptIn(session)).toEqual(['u6', 'a6', 'r6', 'u7', 'a7']);
    expectValid(session);
  });
});

describe('case 11: misplaced results', () => {
  const filled = turns(5, 140);
  it.each<[string, Message[]]>([
    [
      'not adjacent to their calls',
      [assistant('a', call('x')), system('s', 'wait'), assistant('b', 'hm'), user('r', result('x'))],
    ],
    [
      'with duplicate ids',
      [
        assistant('a', call('x')),
        user('r', result('x', 'one')),
        assistant('b', call('x')),
        user('q', result('x', 'two')),
      ],
    ],
    [
      'ambiguous: two for one id, before and after',
      [user('p', result('x', 'early')), assistant('a', call('x')), user('r', result('x', 'late'))],
    ],
    ['before their call', [user('r', result('x')), assistant('a', call('x')), assistant('b', 'so')]],
    ['without a call', [user('r', result('nobody')), assistant('a', 'so')]],
  ])('leave a valid context before and after the cut: %s', (_, odd) => {
    for (const messages of [
      [...filled, user('u9', 'go'), ...odd],
      [user('u9', 'go'), ...odd, ...filled],
    ]) {
      expectValid(compacted(open(one), append(...messages)));
    }
  });

  it('lose no text: a result without a call is quoted', () => {
    const session = sessionOf(
      open(),
      append(
        user('u', 'go'),
        assistant('a', call('x')),
        user('r', result('x', 'one')),
        user('q', result('x', 'again')),
      ),
    );
    expect(JSON.stringify(compose(manifestOf(session), 'anthropic').request)).toContain('again');
  });
});

describe('case 12: an unanswered call', () => {
  const open5 = (...messages: Message[]) => [open(one), append(...turns(4, 160), ...messages)];

  it('in the middle holds the cut back until it is abandoned', () => {
    const past = open5(
      user('u5', 'go'),
      assistant('a5', call('x')),
      user('u6', 'well?'),
      assistant('a6', 'wait'),
      sized('b6', 'assistant', 100),
    );
    expect(planOf(sessionOf(...past)).cut.messageId).toBe('a5');
    expect(planOf(sessionOf(...past, completeTurn())).cut.messageId).toBe('u6');
    expectValid(compacted(...past));
    expectValid(compacted(...past, completeTurn()));
  });

  it('at the end stays open for the following results', () => {
    const session = compacted(...open5(user('u5', filler(900)), assistant('a5', call('x'), call('y'))));
    expectValid(session);
    const last = compose(manifestOf(session), 'anthropic').request.messages.at(-1);
    expect(last).toMatchObject({ role: 'assistant', content: [{ type: 'tool_use' }, { type: 'tool_use' }] });
  });

  it('that is never answered does not block compaction permanently', () => {
    const stuck = [open(one), append(user('u1', 'go'), assistant('a1', call('x')), ...turns(5, 150, 2))];
    expect(prepare(sessionOf(...stuck)).kind).toBe('none');
    const freed = run([...stuck, completeTurn()]);
    expect(freed.stream.at(-1)?.event).toEqual({
      type: 'ToolCallAbandoned',
      data: { calls: [{ messageId: 'a1', callId: 'x' }], reason: 'unanswered-after-turn' },
    });
    expectValid(compacted(...stuck, completeTurn()));
  });
});

describe('case 14: a thinking loop over several tool batches', () => {
  const loop = [
    assistant('a1', thinking('hm', 'sig'), call('c1')),
    user('r1', result('c1', filler(400))),
    assistant('a2', call('c2')),
    user('r2', result('c2', filler(400))),
    assistant('a3', 'done'),
  ];
  // Holds rule 3.1.
  it('is kept from its first message on', () => {
    const session = compacted(
      open(),
      append(...turns(3, 200, 10), user('u4', 'go'), ...loop, sized('b4', 'assistant', 100)),
    );
    expect(keptIn(session)).toEqual(expect.arrayContaining(['a1', 'r1', 'a2', 'r2', 'a3']));
    expect(JSON.stringify(compose(manifestOf(session), 'anthropic').request)).toContain('"signature":"sig"');
    expectValid(session);
  });
});
