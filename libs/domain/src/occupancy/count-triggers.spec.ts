import { decide, evolve, initialState, type Profile } from '@app/domain';
import { IsoTime } from '@app/kernel';
import {
  append,
  assistant,
  call,
  checkBudget,
  complete,
  completeTurn,
  eventsOf,
  open,
  request,
  result,
  sized,
  specificationOf,
  start,
  user,
} from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });
const turns = (count: number, first = 1) =>
  Array.from({ length: count }, (_, at) => first + at).flatMap((n) => [
    append(sized(`u${n}`, 'user', 300), sized(`a${n}`, 'assistant', 300)),
    completeTurn(),
  ]);
const session = (profile: Partial<Profile>, window = 100_000) =>
  open({ window, profile: { keepRecentTurns: 1, ...profile } });
const asked = ['CompactionThresholdHit', 'CompactionRequested'] as const;

describe('a trigger by count', () => {
  it.each([
    ['messages', { triggerMessages: 8 }, 4],
    ['turns', { triggerTurns: 4 }, 4],
  ] as const)('asks for a compaction at so many %s and not before', (by, profile, count) => {
    given(...eventsOf(session(profile), ...turns(count - 1)))
      .when(checkBudget('c1'))
      .thenNothing();
    const reached = given(...eventsOf(session(profile), ...turns(count))).when(checkBudget('c1'));
    reached.thenRecords(...asked);
    expect(reached.events()[0]?.data).toMatchObject({ by });
    expect(reached.events()[1]?.data).toMatchObject({ trigger: 'threshold', count: { by } });
  });

  it('fires at the configured number of tool calls, parallel ones counted each', () => {
    const calls = append(
      user('w', 'look'),
      assistant('c', call('read', 'k1'), call('read', 'k2')),
      { ...user('r', ''), blocks: [result('k1'), result('k2')] },
      assistant('d', 'done'),
    );
    const past = [session({ triggerToolCalls: 2 }), ...turns(3), calls, completeTurn()];
    const when = given(...eventsOf(...past)).when(checkBudget('c1'));
    const found = when.events().find(({ type }) => type === 'CompactionRequested');
    expect(found?.data).toMatchObject({ count: { by: 'tool-calls', reached: 2, at: 2 } });
  });

  // Holds rule 5.101.
  it('fires at the configured minutes after the session was opened', () => {
    const opened = session({ triggerMinutes: 30 });
    const at = { ...opened, data: { ...opened.data, openedAt: IsoTime('2026-11-22T10:00:00Z') } };
    const check = (time: string) => {
      const command = checkBudget('c1');
      return { ...command, data: { ...command.data, now: IsoTime(`2026-11-22T${time}Z`) } };
    };
    given(...eventsOf(at, ...turns(4)))
      .when(check('10:29:59'))
      .thenNothing();
    given(...eventsOf(at, ...turns(4)))
      .when(check('10:30:00'))
      .thenRecords(...asked);
    given(...eventsOf(at, ...turns(4)))
      .when(checkBudget('c1'))
      .thenNothing();
  });

  it('counts from the last compaction on, and needs no window', () => {
    const past = [session({ triggerTurns: 4 }, 0), ...turns(4), request('c1'), start('c1'), complete('c1')];
    given(...eventsOf(...past))
      .when(checkBudget('c2'))
      .thenNothing();
    given(...eventsOf(...past, ...turns(3, 5)))
      .when(checkBudget('c2'))
      .thenNothing();
    given(...eventsOf(...past, ...turns(4, 5)))
      .when(checkBudget('c2'))
      .thenRecords(...asked);
  });

  it('does not fire if compactions need authorization, or at 0', () => {
    for (const profile of [{ triggerTurns: 1, mode: 'authorized' }, { triggerTurns: 0 }] as const)
      given(...eventsOf(session(profile), ...turns(6)))
        .when(checkBudget('c1'))
        .thenNothing();
  });
});
