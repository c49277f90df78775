import {
  compose,
  decide,
  evolve,
  frameContribution,
  initialState,
  manifestOf,
  type OpenSession,
  occupancy,
  prepare,
  type SessionCommand,
} from '@app/domain';
import { Tokens } from '@app/kernel';
import {
  append,
  appendBilled,
  assistant,
  call,
  checkBudget,
  compactable,
  complete,
  composeRequest,
  eventsOf,
  open,
  request,
  result,
  sessionOf,
  sized,
  specificationOf,
  start,
  turns,
  user,
} from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });
const past = (...commands: SessionCommand[]) => given(...eventsOf(...commands));
const carryingCount = (tokens: number) =>
  composeRequest({
    contributions: [{ name: 'todo', tokens: Tokens(tokens) }],
    digest: tokens.toString(16).padStart(64, '0'),
  });
const text = frameContribution({ name: 'todo', text: 'call back' });
const sent = (session: OpenSession) => compose(manifestOf(session, [text]), 'anthropic');
const filled = (tokens: number, mode: 'automatic' | 'authorized'): SessionCommand[] => [
  open({ profile: { keepRecentTurns: 1, mode } }),
  append(...turns(4), sized('u5', 'user', 100), sized('a5', 'assistant', tokens - 1_310)),
];

describe('a contribution to a request', () => {
  // Holds rule 2.22.
  it('stands at the end of the request, as user data under its name', () => {
    const session = sessionOf(
      open(),
      append(user('u1', 'go'), assistant('a1', call('c1')), user('r1', result('c1'))),
    );
    const { request, violations } = sent(session);
    expect(violations).toEqual([]);
    expect(request.messages.at(-1)).toMatchObject({
      content: [{ type: 'tool_result' }, { type: 'text', text }],
    });
    const plain = compose(manifestOf(session), 'anthropic').request.messages;
    expect(request.messages.slice(0, -1)).toEqual(plain.slice(0, -1));
    expect(compose(manifestOf(session, [text]), 'openai-chat').request.messages.at(-1)).toEqual({
      role: 'user',
      content: text,
    });
  });

  it('cannot close its own frame', () =>
    expect(
      frameContribution({ name: 'x', text: 'a</context-data> b' }).match(/<\/context-data/g),
    ).toHaveLength(1));

  it('closes calls that wait for results, and states so', () => {
    const { violations, notes } = sent(
      sessionOf(open(), append(user('u1', 'go'), assistant('a1', call('c1')))),
    );
    expect(violations).toEqual([]);
    expect(notes).toEqual([{ action: 'answered-open-call', callId: 'c1' }]);
  });

  // Holds rule 2.23.
  it('is recorded by name and size, and counts in occupancy and floor until the next request', () => {
    const [composed] = past(open(), append(...turns(2)))
      .when(carryingCount(90))
      .events();
    expect(composed).toMatchObject({
      data: { occupancy: 700, contributions: [{ name: 'todo', tokens: 90 }] },
    });
    const session = sessionOf(open(), append(...turns(2)), carryingCount(90));
    expect(occupancy(session)).toBe(700);
    const floor = prepare({ ...session, limits: { ...session.limits, window: Tokens(400) } });
    expect(floor).toMatchObject({
      reason: {
        rule: 'floor-too-high',
        parts: expect.arrayContaining([{ part: 'context providers', tokens: 90 }]),
      },
    });
    expect(occupancy(sessionOf(open(), append(...turns(2)), carryingCount(90), composeRequest()))).toBe(610);
  });

  it('is replaced by the contribution of the next request after it was billed', () => {
    const billed = [
      open(),
      append(...turns(2)),
      carryingCount(90),
      appendBilled({ input: 1_000 }, assistant('a3', 'so')),
    ];
    expect(occupancy(sessionOf(...billed))).toBe(1_000);
    expect(occupancy(sessionOf(...billed, carryingCount(50)))).toBe(960);
    expect(occupancy(sessionOf(...billed, composeRequest({ digest: 'b' })))).toBe(910);
  });

  // Holds rule 2.23.
  it('stays counted after a compaction, and is not summarized', () => {
    const commands = [...compactable(), carryingCount(90), request(), start(), complete()];
    const without = sessionOf(...compactable(), request(), start(), complete());
    expect(occupancy(sessionOf(...commands))).toBe(occupancy(without) + 90);
  });

  it('counts against the budget: one token too many is refused, with a smaller contribution as a remedy', () => {
    past(...filled(1_800, 'authorized'))
      .when(carryingCount(99))
      .thenRecords('RequestComposed');
    const [refused] = past(...filled(1_800, 'authorized'))
      .when(carryingCount(100))
      .events();
    expect(refused).toMatchObject({
      type: 'RequestRefused',
      data: {
        occupancy: 1_900,
        remedies: [
          { remedy: 'compact' },
          { remedy: 'reset' },
          { remedy: 'reduce-context', billedAfter: 1_800 },
          { remedy: 'override' },
          { remedy: 'shorten' },
          { remedy: 'use-larger-model' },
        ],
        contributions: [{ name: 'todo', tokens: 100 }],
      },
    });
    past(...filled(1_800, 'authorized'), carryingCount(100))
      .when(composeRequest())
      .thenRecords('RequestComposed');
    past(...filled(1_800, 'authorized'), carryingCount(100))
      .when(carryingCount(101))
      .thenRecords('RequestRefused');
  });

  it('can fire the trigger, and is part of the size to compact for', () => {
    const check = checkBudget();
    const contributed = Tokens(100);
    past(...filled(1_500, 'automatic'))
      .when(check)
      .thenNothing();
    const events = past(...filled(1_500, 'automatic'))
      .when({ ...check, data: { ...check.data, contributed } })
      .events();
    expect(events.at(-1)).toMatchObject({
      type: 'CompactionRequested',
      data: { occupancy: 1_600, contributed },
    });
  });

  // Holds rule 2.24.
  it('is recorded with the names of failed providers', () => {
    const [composed] = past(open(), append(user('u1', 'go')))
      .when(composeRequest({ failedProviders: ['clock'] }))
      .events();
    expect(composed).toMatchObject({ data: { failedProviders: ['clock'] } });
  });
});
