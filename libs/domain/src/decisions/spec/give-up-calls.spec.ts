import type { SessionCommand } from '@app/domain';
import { append, assistant, call, checkBudget, filler, open, request, result, run, user } from '@app/testing';

/** One turn with a call that was never answered, behind which the model has gone on. */
const stuck: SessionCommand[] = [
  open(),
  append(
    user('u1', 'go'),
    assistant('a1', call('lost')),
    assistant('a2', filler(4_000), call('c2')),
    user('r2', result('c2', filler(2_400))),
    assistant('a3', filler(800)),
  ),
];
const typesAfter = (...commands: SessionCommand[]): string[] =>
  run([...stuck, ...commands])
    .stream.slice(run(stuck).stream.length)
    .map(({ event }) => event.type);

describe('an unanswered call followed by a newer assistant message', () => {
  // Holds rule 5.39.
  it('is abandoned if it blocks an automatic compaction', () => {
    const types = typesAfter(checkBudget());
    expect(types.slice(-2)).toEqual(['ToolCallAbandoned', 'CompactionRequested']);
  });

  it('is abandoned if it blocks a manual compaction', () =>
    expect(typesAfter(request())).toEqual(['ToolCallAbandoned', 'CompactionRequested']));

  it('is abandoned once', () =>
    expect(typesAfter(request(), checkBudget())).not.toContain('CompactionSkipped'));

  it('is kept while the model waits for its result', () => {
    const waiting = [open(), append(user('u1', 'go'), assistant('a1', filler(6_400), call('c1')))];
    const types = run([...waiting, checkBudget()]).stream.map(({ event }) => event.type);
    expect(types).not.toContain('ToolCallAbandoned');
  });
});
