import { compose, estimatedTokens, manifestOf, prepare, profileNamed } from '@app/domain';
import {
  append,
  assistant,
  BLOCK_TOKENS,
  call,
  checkBudget,
  complete,
  filler,
  open,
  request,
  result,
  sessionOf,
  start,
  turns,
  user,
} from '@app/testing';
import { DROPPED_OUTPUT_TEXT } from '../../view/recall/recall-tool.js';

const policy = { ...profileNamed('deterministic'), keepRecentTurns: 1 };
const big = filler(4_400);

describe('dropping tool outputs', () => {
  const past = [
    open({ profile: policy }),
    append(
      user('u1', 'go'),
      assistant('a1', call('c1'), call('c2')),
      user('r1', result('c1', big), result('c2', 'ok')),
    ),
    append(...turns(1, 300, 2)),
  ];
  const dropped = [...past, checkBudget('c1'), start(), complete('c1', { summary: null })];

  // Holds rule 2.7.
  it('requests no summary if it alone reaches the target', () => {
    const plan = prepare(sessionOf(...past));
    expect(plan).toMatchObject({ kind: 'plan', stages: ['drop-tool-outputs'], covered: [] });
  });

  // Holds rule 2.15.
  it('keeps call and result, and leaves a note in place of the output', () => {
    const [question] = turns(1, 300, 2);
    const { request } = compose(manifestOf(sessionOf(...dropped)), 'anthropic');
    expect(request.messages[2]).toEqual({
      role: 'user',
      content: [result('c1', DROPPED_OUTPUT_TEXT), result('c2', 'ok'), ...(question?.blocks ?? [])],
    });
  });

  it('counts the freed tokens', () => {
    const [before, after] = [sessionOf(...past), sessionOf(...dropped)];
    // The replacement counts 32 tokens under any tokenizer.
    expect(estimatedTokens(before) - estimatedTokens(after)).toBe(big.length / 4 + BLOCK_TOKENS - 32);
  });

  it('skips protected turns, short outputs and outputs dropped before', () => {
    const recent = append(user('u9', 'go'), assistant('a9', call('c9')), user('r9', result('c9', big)));
    expect(prepare(sessionOf(...dropped, recent))).toMatchObject({
      kind: 'plan',
      stages: ['summarize'],
      droppedOutputs: [],
    });
  });

  it('counts the result that answers the call if an earlier call used the same id', () => {
    const session = sessionOf(
      open({ profile: policy }),
      append(
        user('u1', 'go'),
        assistant('a1', call('same')),
        assistant('a2', call('same')),
        user('r1', result('same', big), result('same', filler(800))),
      ),
      append(...turns(1, 200, 9)),
    );
    const plan = prepare(session);
    expect(plan.kind === 'plan' && plan.droppedOutputs).toEqual([
      { messageId: 'a1', callId: 'same', freed: 800 / 4 + BLOCK_TOKENS - 32 },
      { messageId: 'a2', callId: 'same', freed: big.length / 4 + BLOCK_TOKENS - 32 },
    ]);
  });

  it('is recorded in the retention of its turn', () =>
    expect(sessionOf(...dropped).pivot?.retention).toMatchObject([
      { turn: 1, rule: 'verbatim', toolOutputs: 'dropped' },
      { turn: 2, rule: 'verbatim', toolOutputs: 'none' },
    ]));
});

describe('retention', () => {
  it('names the first and the last message of a split turn', () => {
    const session = sessionOf(
      open({ profile: { keepRecentTurns: 1 } }),
      append(
        user('u1', 'go'),
        assistant('a1', call('c1')),
        user('r1', result('c1', filler(3_200))),
        assistant('a2', call('c2')),
        user('r2', result('c2', filler(2_000))),
      ),
    );
    const plan = prepare(session);
    expect(plan.kind === 'plan' && plan.retention).toEqual([
      expect.objectContaining({
        turn: 1,
        from: 'u1',
        to: 'r2',
        messages: 5,
        rule: 'split',
        toolOutputs: 'summarized',
      }),
    ]);
  });

  // Holds rule 3.10.
  it('reports outputs dropped by an earlier compaction as dropped', () => {
    const past = [
      open({ window: 3_000, profile: policy }),
      append(...turns(1, 450)),
      append(user('u2', 'go'), assistant('a2', call('c2')), user('r2', result('c2', big))),
      append(...turns(1, 200, 3)),
      checkBudget('c1'),
      start(),
      complete('c1', { summary: null }),
    ];
    const session = sessionOf(...past);
    const next = prepare(session, { ...policy, keepRecentTurns: 2, stages: ['summarize'] });
    expect(next.kind === 'plan' && next.retention).toMatchObject([
      { turn: 1, rule: 'summarized', toolOutputs: 'none' },
      { turn: 2, rule: 'verbatim', toolOutputs: 'dropped' },
      { turn: 3, rule: 'verbatim', toolOutputs: 'none' },
    ]);
    const later = sessionOf(
      ...past,
      request('c2', { profile: { ...policy, keepRecentTurns: 2, stages: ['summarize'] } }),
      start('c2'),
      complete('c2'),
    );
    expect(later.pivot?.compactionId).toBe('c2');
    expect(later.droppedOutputs).toEqual(session.droppedOutputs);
    expect(JSON.stringify(compose(manifestOf(later), 'anthropic').request)).not.toContain(big);
  });
});
