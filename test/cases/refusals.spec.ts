import { decide, evolve, initialState, type SessionCommand } from '@app/domain';
import {
  append,
  assistant,
  call,
  checkBudget,
  eventsOf,
  filler,
  open,
  request,
  result,
  run,
  sized,
  specificationOf,
  start,
  thinking,
  turns,
  user,
} from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });
const typesOf = (...commands: SessionCommand[]): string[] =>
  run(commands).stream.map(({ event }) => event.type);
const countOf = (types: readonly string[], type: string): number =>
  types.filter((one) => one === type).length;

describe('case 23: a floor above the limit', () => {
  // 1,600 tokens are usable: 2,000 less a fifth for the answer. The summary needs 200 of them.
  const withNewest = (tokens: number) => [
    open({ fixedTokens: 400 }),
    append(...turns(3, 50), sized('u4', 'user', tokens)),
  ];

  // Holds rule 5.35.
  it('is refused without a model call, naming each part with its tokens', () => {
    const [requested, skipped] = given(...eventsOf(...withNewest(1_000)))
      .when(request())
      .events();
    expect(requested).toMatchObject({ type: 'CompactionRequested' });
    expect(skipped).toMatchObject({
      type: 'CompactionSkipped',
      data: {
        compactionId: 'c1',
        reason: {
          rule: 'floor-too-high',
          countedFloor: 1_600,
          countedBudget: 1_600,
          parts: [
            { part: 'system prompt and tools', tokens: 400 },
            { part: 'newest atomic group', tokens: 1_000 },
            { part: 'reserve for the summary', tokens: 200 },
          ],
        },
      },
    });
  });

  it('is accepted one token below the limit', () => {
    const events = given(...eventsOf(...withNewest(999)))
      .when(request())
      .events();
    expect(JSON.stringify(events)).not.toContain('floor-too-high');
  });

  // Holds rule 5.35.
  it('gives a worker nothing to start', () =>
    expect(typesOf(...withNewest(1_000), request(), start())).not.toContain('CompactionStarted'));

  it('includes the messages since an unanswered call, which cannot be removed either', () => {
    const held = [
      open(),
      append(
        ...turns(2, 300),
        user('u3', 'go'),
        assistant('a3', call('x')),
        sized('u4', 'user', 700),
        sized('u5', 'user', 700),
      ),
    ];
    expect(
      given(...eventsOf(...held))
        .when(request())
        .events()
        .at(-1),
    ).toMatchObject({
      type: 'CompactionSkipped',
      data: {
        reason: {
          rule: 'floor-too-high',
          parts: expect.arrayContaining([
            expect.objectContaining({ part: 'messages that cannot be parted' }),
          ]),
        },
      },
    });
  });
});

describe('case 25: nothing to drop', () => {
  const stuck = [
    open(),
    append(
      user('u1', 'go'),
      assistant('a1', thinking('hm', 'sig'), call('c0')),
      user('r1', result('c0', filler(5_600))),
    ),
  ];

  it('is reported once, with the rule and the numbers', () => {
    const events = given(...eventsOf(...stuck, append(assistant('b1', filler(700)))))
      .when(checkBudget())
      .events();
    expect(events.at(-1)).toMatchObject({
      type: 'CompactionSkipped',
      data: { trigger: 'threshold', reason: { rule: expect.any(String) } },
    });
  });

  it('records three thresholds and one reason for a hundred checks', () => {
    const checks = Array.from({ length: 100 }, (_, at) => checkBudget(`auto-${at}`));
    const types = typesOf(...stuck, append(assistant('b1', filler(700))), ...checks);
    expect(types.length).toBeLessThanOrEqual(1 + 4 + 4);
    expect(countOf(types, 'CompactionSkipped')).toBe(1);
    expect(countOf(types, 'WarningThresholdReached')).toBe(1);
  });

  it('records at most a few events per turn while messages arrive', () => {
    const life = Array.from({ length: 40 }, (_, at) => [
      append(assistant(`b${at}`, filler(40))),
      checkBudget(`auto-${at}`),
    ]).flat();
    const types = typesOf(open({ profile: { protection: 'strict' } }), append(...turns(4, 205)), ...life);
    const lifecycle = types.filter((type) => type.startsWith('Compaction'));
    expect(lifecycle.length).toBeLessThanOrEqual(8);
  });
});
