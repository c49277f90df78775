import {
  compose,
  fold,
  initialState,
  type Message,
  manifestOf,
  type SessionCommand,
  WIRE_FORMATS,
  type WireFormat,
  withoutReverted,
} from '@app/domain';
import { CompactionId } from '@app/kernel';
import {
  append,
  assistant,
  call,
  compactable,
  complete,
  filler,
  open,
  openOf,
  request,
  result,
  run,
  SESSION,
  type SessionRun,
  start,
  system,
  thinking,
  turns,
  user,
} from '@app/testing';

const FORMATS: readonly WireFormat[] = WIRE_FORMATS;
const contextsOf = (played: SessionRun): string[] =>
  FORMATS.map((format) => JSON.stringify(compose(manifestOf(openOf(played)), format)));
const typesSince = (after: SessionRun, before: SessionRun): string[] =>
  after.stream.slice(before.stream.length).map(({ event }) => event.type);

const reset: SessionCommand = {
  type: 'ResetSession',
  data: { sessionId: SESSION, compactionId: CompactionId('r1'), reason: 'start over', confirm: true },
};
/** Reverts the compaction `c1`, which is in force. */
const revert = ({ stream }: SessionRun): SessionCommand => ({
  type: 'RevertCompaction',
  data: {
    sessionId: SESSION,
    compactionId: CompactionId('c1'),
    reason: 'a mistake',
    without: fold(initialState, withoutReverted(stream, new Set([CompactionId('c1')]))),
  },
});

describe('case 19: covered history that changed during the summary', () => {
  // The newest turn is split: the summary covers its first step.
  const split = (...step: Message[]): SessionCommand[] => [
    open({ profile: { keepRecentTurns: 1 } }),
    append(user('u1', 'go'), ...step, system('s1', filler(1_200))),
    request(),
    start(),
  ];

  it.each<[string, SessionCommand[], SessionCommand]>([
    [
      'a step that continues the turn with its reasoning',
      split(assistant('a1', thinking('hm', 'sig'), call('c')), user('r1', result('c', filler(4_000)))),
      append(assistant('a2', 'done')),
    ],
    [
      'a call whose result had come first',
      split(assistant('a1', 'wait'), user('r1', result('late', filler(4_000)))),
      append(assistant('a2', call('late'))),
    ],
  ])('by %s fails the attempt, and the context stays unchanged', (_, past, change) => {
    const before = run([...past, change]);
    const after = run([complete()], before);
    expect(after.stream.slice(before.stream.length).map(({ event }) => event)).toMatchObject([
      { type: 'CompactionAttemptFailed', data: { error: { rule: 'superseded' } } },
    ]);
    expect(contextsOf(after)).toEqual(contextsOf(before));
    expect(openOf(after).pivot).toBeUndefined();
  });

  it('is planned again by the next attempt, which covers the new content', () => {
    const past = split(
      assistant('a1', thinking('hm', 'sig'), call('c')),
      user('r1', result('c', filler(4_000))),
    );
    const failed = run([...past, append(assistant('a2', filler(2_000)), ...turns(2, 150, 11)), complete()]);
    const after = run([start(), complete('c1', { attempt: 2 })], failed);
    const completed = after.stream.flatMap(({ event }) =>
      event.type === 'CompactionCompleted' ? [event.data] : [],
    );
    expect(completed).toMatchObject([{ attempt: 2, cut: { messageId: 'u12' } }]);
  });

  it('does not count as changed by an identical step: the result is applied', () => {
    const past = split(assistant('a1', call('c')), user('r1', result('c', filler(4_000))));
    const after = run([...past, append(assistant('a2', 'done')), complete()]);
    expect(openOf(after).pivot?.compactionId).toBe('c1');
  });

  it('by a reset: the result is paid for and not applied', () => {
    const before = run([...compactable(), request(), start(), reset]);
    const after = run([complete()], before);
    expect(typesSince(after, before)).toEqual(['CompactionDuplicated']);
    expect(contextsOf(after)).toEqual(contextsOf(before));
  });

  it('by a revert: the result is paid for and not applied', () => {
    const grown = Array.from({ length: 8 }, (_, at) => append(assistant(`b${at}`, filler(600))));
    const running = run([
      ...compactable(),
      request(),
      start(),
      complete(),
      ...grown,
      request('c2'),
      start('c2'),
    ]);
    const before = run([revert(running)], running);
    const after = run([complete('c2')], before);
    // The whole history exceeds the window.
    expect(typesSince(before, running)).toEqual([
      'CompactionCancelled',
      'CompactionReverted',
      'WarningThresholdReached',
      'CompactionRequired',
      'BlockingThresholdReached',
    ]);
    expect(typesSince(after, before)).toEqual(['CompactionDuplicated']);
    expect(contextsOf(after)).toEqual(contextsOf(before));
  });
});
