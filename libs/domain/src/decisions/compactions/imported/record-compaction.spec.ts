import {
  type CommandOf,
  compose,
  decide,
  evolve,
  fold,
  initialState,
  manifestOf,
  type SessionCommand,
  withoutReverted,
} from '@app/domain';
import { CompactionId, MessageId, Tokens } from '@app/kernel';
import {
  append,
  assistant,
  compactable,
  complete,
  eventsOf,
  openOf,
  request,
  run,
  SESSION,
  specificationOf,
  start,
  user,
} from '@app/testing';

const given = specificationOf({ initialState, evolve, decide });
const record = (
  more: Partial<CommandOf<'RecordCompaction'>['data']> = {},
): CommandOf<'RecordCompaction'> => ({
  type: 'RecordCompaction',
  data: {
    sessionId: SESSION,
    compactionId: CompactionId('imp_1'),
    summary: { text: 'What was done.', framedTokens: Tokens(120) },
    summarizer: { name: 'claude-code', promptVersion: '2.1.7', deterministic: false },
    durationMs: 0,
    imported: { format: 'claude-code' },
    ...more,
  },
});
const restated = (id: string, words: string) => ({ ...user(id, words), synthetic: 'restated' as const });

describe('an imported compaction', () => {
  it('is exempt from the rules: it may lack sections, free nothing and retain nothing', () => {
    const when = given(...eventsOf(...compactable())).when(record());
    when.thenRecords('CompactionRequested', 'CompactionCompleted', 'CompactionApplied');
    expect(when.events()[1]).toMatchObject({
      data: {
        trigger: 'imported',
        worker: 'import',
        cut: null,
        covered: { from: 'u1', to: 'a5', messages: 10 },
      },
    });
  });

  it('is recorded once', () =>
    given(...eventsOf(...compactable(), record()))
      .when(record())
      .thenNothing());

  it('ends the running compaction', () =>
    given(...eventsOf(...compactable(), request(), start()))
      .when(record())
      .thenRecords('CompactionCancelled', 'CompactionRequested', 'CompactionCompleted', 'CompactionApplied'));

  it('counts messages restated after it, not before', () => {
    const whole = run([...compactable()]);
    const again = run(
      [append(restated('r1', 'always test')), record({ retainedFrom: MessageId('r1') })],
      whole,
    );
    const completed = again.stream.find(({ event }) => event.type === 'CompactionCompleted');
    expect(completed?.event.data).toMatchObject({
      cut: { messageId: 'r1' },
      covered: { messages: 10 },
      countedBefore: 1_510,
    });
    expect(openOf(again).entries.map(({ message }) => message.id)).toEqual(['r1']);
    expect(openOf(again)).toMatchObject({ turn: 5, compactions: 1 });
  });

  it('keeps the rest if its first kept message was compacted here since', () => {
    const here = run([...compactable(), request(), start(), complete()]);
    const left = openOf(here).entries.map(({ message }) => message.id);
    const taken = run([record({ retainedFrom: MessageId('u1') })], here);
    expect(openOf(taken).entries.map(({ message }) => message.id)).toEqual(left);
    expect(openOf(taken).pivot).toMatchObject({ summary: 'What was done.', compactionId: 'imp_1' });
  });

  it('can be followed by compactions and reverted like any other', () => {
    const on: SessionCommand[] = [append(user('u6', 'on'), assistant('a6', 'done'))];
    const taken = run([...compactable(), record({ retainedFrom: MessageId('u5') })]);
    const { violations } = compose(manifestOf(openOf(run(on, taken))), 'anthropic');
    expect(violations).toEqual([]);
    const revert: SessionCommand = {
      type: 'RevertCompaction',
      data: {
        sessionId: SESSION,
        compactionId: CompactionId('imp_1'),
        reason: 'a mistake',
        without: fold(initialState, withoutReverted(taken.stream, new Set([CompactionId('imp_1')]))),
      },
    };
    expect(openOf(run([revert], taken)).entries).toHaveLength(10);
  });
});
