import {
  atomicGroups,
  blockFrom,
  type Message,
  pairToolCalls,
  resultText,
  startsTurn,
  textOf,
} from '@app/domain';
import { assistant, call, image, message, result, system, thinking, user } from '@app/testing';

/** The pairs of a list as text: `call id@message` and the position of the result, `-` without one. */
const pairsOf = (messages: readonly Message[], abandoned: readonly string[] = []): string[] =>
  pairToolCalls(messages, (_, callId) => abandoned.includes(callId)).calls.map(
    ({ id, call, result }) => `${id}@${call.message} ${result ? `${result.message}.${result.block}` : '-'}`,
  );
const strayOf = (messages: readonly Message[]): string[] =>
  pairToolCalls(messages).unpaired.map(({ id, result }) => `${id} ${result.message}.${result.block}`);
const groupsOf = (messages: readonly Message[]): string[] =>
  atomicGroups(messages).map(({ start, end }) => `${start}–${end}`);

describe('a tool call', () => {
  it('is paired with its result', () =>
    expect(pairsOf([assistant('a', call('x')), user('r', result('x'))])).toEqual(['x@0 1.0']));

  it('is paired regardless of the position of its result', () =>
    expect(
      pairsOf([
        assistant('a', call('x'), call('y')),
        assistant('b', 'hm'),
        user('r', 'so', result('y')),
        user('s', result('x')),
      ]),
    ).toEqual(['x@0 3.0', 'y@0 2.0']));

  it('with a reused id is paired with the result after it', () =>
    expect(
      pairsOf([
        assistant('a', call('x')),
        user('r', result('x')),
        assistant('b', call('x')),
        user('s', result('x')),
      ]),
    ).toEqual(['x@0 1.0', 'x@2 3.0']));

  it('pairs the nearest of two results with one id first', () => {
    const messages = [
      assistant('a', call('x')),
      assistant('b', call('x')),
      user('r', result('x'), result('x')),
    ];
    expect(pairsOf(messages)).toEqual(['x@0 2.1', 'x@1 2.0']);
  });

  it('is answered once: a second result is stray', () => {
    const messages = [assistant('a', call('x')), user('r', result('x')), user('s', result('x'))];
    expect(pairsOf(messages)).toEqual(['x@0 1.0']);
    expect(strayOf(messages)).toEqual(['x 2.0']);
  });

  it('takes a result that precedes it in the same turn', () =>
    expect(pairsOf([user('u', 'go'), user('r', result('x')), assistant('a', call('x'))])).toEqual([
      'x@2 1.0',
    ]));

  it('takes no result from an earlier turn', () => {
    const messages = [user('r', result('x')), user('u', 'go'), assistant('a', call('x'))];
    expect(pairsOf(messages)).toEqual(['x@2 -']);
    expect(strayOf(messages)).toEqual(['x 0.0']);
  });

  it('of a step with many calls is paired like one of a small step, in any order of results', () => {
    const ids = Array.from({ length: 40 }, (_, at) => `x${at % 35}`);
    const calls = assistant('a', ...ids.map((id) => call(id)));
    const answers = ids.toReversed().map((id) => result(id));
    const pairs = pairsOf([calls, user('r', ...answers)]);
    expect(pairs).toHaveLength(40);
    expect(pairs.slice(0, 6)).toEqual([
      'x0@0 1.4',
      'x1@0 1.3',
      'x2@0 1.2',
      'x3@0 1.1',
      'x4@0 1.0',
      'x5@0 1.34',
    ]);
    expect(pairs.slice(35)).toEqual(['x0@0 1.39', 'x1@0 1.38', 'x2@0 1.37', 'x3@0 1.36', 'x4@0 1.35']);
  });

  it('of an incomplete step takes a later result, nearest first', () => {
    const messages = [
      assistant('a', call('x'), call('y'), call('x')),
      assistant('b', call('x')),
      assistant('c', call('z')),
      user('r', result('z'), result('x'), result('x'), result('y'), result('x')),
    ];
    expect(pairsOf(messages)).toEqual(['x@0 3.2', 'y@0 3.3', 'x@0 3.4', 'x@1 3.1', 'z@2 3.0']);
  });

  it('takes no result after it was abandoned', () =>
    expect(pairsOf([assistant('a', call('x')), user('r', result('x'))], ['x'])).toEqual(['x@0 -']));

  it('is made by assistant messages and answered by user messages only', () => {
    expect(pairsOf([user('u', call('x')), assistant('a', result('x'))])).toEqual([]);
    expect(strayOf([user('u', call('x')), assistant('a', result('x'))])).toEqual([]);
    expect(pairsOf([assistant('a', call('x')), system('s', result('x'))])).toEqual(['x@0 -']);
  });
});

describe('an atomic group', () => {
  it('is a single message without calls', () =>
    expect(groupsOf([user('u', 'a'), assistant('a', 'b'), system('s', 'c'), user('v')])).toEqual([
      '0–1',
      '1–2',
      '2–3',
      '3–4',
    ]));

  // Holds rule 1.5.
  it('is a call with all its results and the messages between them', () =>
    expect(
      groupsOf([
        assistant('a', call('x'), call('y')),
        user('r', result('x')),
        system('s', 'c'),
        user('t', result('y')),
        user('u', 'd'),
      ]),
    ).toEqual(['0–4', '4–5']));

  // Holds rule 1.5.
  it('includes all groups that overlap', () =>
    expect(
      groupsOf([
        assistant('a', call('x')),
        assistant('b', call('y')),
        user('r', result('x')),
        user('s', result('y')),
      ]),
    ).toEqual(['0–4']));

  // Holds rule 1.6.
  it('covers all batches of a thinking loop', () =>
    expect(
      groupsOf([
        user('u', 'go'),
        assistant('a', thinking('hm', 's'), call('x')),
        user('r', result('x')),
        assistant('b', call('y')),
        user('s', result('y')),
        assistant('c', 'done'),
        assistant('d', 'and more'),
      ]),
    ).toEqual(['0–1', '1–6', '6–7']));

  it('ends where the assistant thinks again, and at a user message', () =>
    expect(
      groupsOf([
        assistant('a', thinking('hm', 's'), call('x')),
        user('r', result('x')),
        assistant('b', thinking('so', 's'), call('y')),
        user('s', result('y')),
        user('u', 'go on'),
        assistant('c', 'done'),
      ]),
    ).toEqual(['0–2', '2–4', '4–5', '5–6']));
});

describe('a turn', () => {
  // Holds rule 1.4.
  it.each<[boolean, string, Message]>([
    [true, 'words', user('u', 'go')],
    [true, 'a picture', user('u', image())],
    [true, 'results and words', user('u', result('x'), 'go')],
    [false, 'results alone', user('u', result('x'))],
    [false, 'nothing', user('u')],
    [false, 'words of the assistant', assistant('a', 'go')],
    [false, 'words of the system', system('s', 'go')],
  ])('is begun (%s) by %s', (begins, _, message) => expect(startsTurn(message)).toBe(begins));
});

describe('parsing a content block', () => {
  // Holds rule 1.2.
  it.each([
    [{ type: 'text', text: '' }],
    [{ type: 'image', source: {} }],
    [{ type: 'tool_use', id: 'x', name: 'y', input: {}, caller: { type: 'direct' } }],
    [{ type: 'tool_result', tool_use_id: 'x' }],
    [{ type: 'tool_result', tool_use_id: 'x', content: [{ type: 'text', text: 'a' }] }],
    [{ type: 'thinking', thinking: '' }],
    [{ type: 'server_tool_use', whatever: 1 }],
  ])('keeps %j unchanged', (block) => expect(blockFrom(block)).toBe(block));

  it.each([
    [{ type: 'text' }],
    [{ type: 'image', source: 'x' }],
    [{ type: 'tool_use', id: 'x', name: 'y', input: [] }],
    [{ type: 'tool_use', id: 1, name: 'y', input: {} }],
    [{ type: 'tool_result', content: 'a' }],
    [{ type: 'tool_result', tool_use_id: 'x', content: ['a'] }],
    [{ type: 'thinking' }],
    [{ type: 'redacted_thinking' }],
    [{ text: 'a' }],
    ['text'],
    [null],
    [undefined],
  ])('rejects %j, which lacks a required field', (block) => expect(blockFrom(block)).toBeUndefined());

  it('extracts the text', () => {
    expect(resultText(result('x', [{ type: 'text', text: 'a' }, image(), { type: 'text', text: 'b' }]))).toBe(
      'a\nb',
    );
    expect(resultText({ type: 'tool_result', tool_use_id: 'x' })).toBe('');
    expect(textOf(message('m', 'user', 'a', image(), 'b'))).toBe('a\nb');
  });
});
