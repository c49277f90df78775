import { type CommandOf, compose, decide, evolve, fold, initialState, manifestOf } from '@app/domain';
import { Revision } from '@app/kernel';
import {
  append,
  assistant,
  call,
  eventsOf,
  open,
  result,
  SESSION,
  specificationOf,
  user,
} from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });
const prune = (...callIds: readonly string[]): CommandOf<'RecordPruning'> => ({
  type: 'RecordPruning',
  data: { sessionId: SESSION, callIds, imported: { format: 'claude-code' } },
});
const exchange = (id: string, words: string) => [
  user(`u${id}`, 'go'),
  assistant(`a${id}`, call(id)),
  user(`r${id}`, result(id, words)),
];
const LONG = 'a line of what the tool said '.repeat(40);
const worked = eventsOf(
  open(),
  append(...exchange('c1', LONG), ...exchange('c2', LONG), assistant('a', 'so')),
);

describe('tool outputs that the agent of a transcript cleared', () => {
  it('are recorded as pruned by the agent', () => {
    const when = given(...worked).when(prune('c1'));
    when.thenRecords('ToolOutputsPruned');
    expect(when.events()[0]).toMatchObject({
      data: { outputs: [{ messageId: 'ac1', callId: 'c1' }], imported: { format: 'claude-code' } },
    });
  });

  it('are replaced by one line in later requests, and other outputs stay', () => {
    const events = [
      ...worked,
      ...given(...worked)
        .when(prune('c1'))
        .events(),
    ];
    const session = fold(
      initialState,
      events.map((event, at) => ({ event, revision: Revision(at) })),
    );
    if (session.status !== 'open') throw new Error('it is open');
    const { request, violations } = compose(manifestOf(session), 'anthropic');
    expect(violations).toEqual([]);
    expect(JSON.stringify(request).split(LONG)).toHaveLength(2);
  });

  it('are recorded once, and unknown calls are ignored', () => {
    const events = given(...worked)
      .when(prune('c1'))
      .events();
    given(...worked, ...events)
      .when(prune('c1', 'c9'))
      .thenNothing();
  });
});
