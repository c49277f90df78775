import { prepare, sizesOf, verifyContext, verifyProgress, verifySummary } from '@app/domain';
import { CompactionId, Tokens } from '@app/kernel';
import { compactable, complete, goodSummary, request, run, sessionOf, start } from '@app/testing';

const verified = (text: string, finish: 'stop' | 'length' | 'tool-call' | 'filtered' | 'refusal' = 'stop') =>
  verifySummary({ text, finish })?.rule;

describe('a summary', () => {
  // Holds rule 5.57.
  it('is accepted with the required sections', () => {
    expect(verified(goodSummary())).toBeUndefined();
    expect(verified('# Goal and constraints\nx\n### State of things\ny')).toBeUndefined();
  });

  // Holds rule 5.56.
  it.each(['length', 'tool-call', 'filtered', 'refusal'] as const)(
    'is rejected if the model stopped with %s',
    (finish) => expect(verified(goodSummary(), finish)).toBe('finish-reason'),
  );

  // Holds rule 5.57.
  it.each([
    ['nothing', '', 'empty'],
    ['blanks', ' \n\t', 'empty'],
    ['a lone surrogate', `${goodSummary()}\ud83d`, 'unicode'],
    ['a refusal', 'I’m sorry, but no.\n## Goal\n## State', 'refusal'],
    ['a refusal', 'I cannot do that', 'refusal'],
    ['no sections', 'All is well.', 'sections'],
    ['one required section short', '## Goal\nx', 'sections'],
    ['sections without headings', 'Goal: x\nState: y', 'sections'],
    ['sections with longer names', '## Goalkeepers\nx\n## Statements\ny', 'sections'],
    ['sections in the wrong order', '## State\nx\n## Goal\ny', 'sections'],
  ])('is rejected for %s', (_, text, rule) => expect(verified(text)).toBe(rule));
});

describe('the size limit of a rebuilt context', () => {
  const sizes = (after: number) => ({ before: Tokens(100), after: Tokens(after), atMost: Tokens(90) });
  it('accepts the last allowed token', () => expect(verifyProgress(sizes(90))).toBeUndefined());
  // Holds rule 5.61.
  it('rejects one token more', () => expect(verifyProgress(sizes(91))?.rule).toBe('no-gain'));

  it('is derived from the size at the start of the attempt, plus later messages', () => {
    const plan = { countedBefore: Tokens(1_200), target: Tokens(950), profile: { maxRemainingShare: 0.9 } };
    const rebuilt = sessionOf(...compactable(), request(), start(), complete());
    const atMost = (target: number, before: number) =>
      sizesOf(
        { ...planOf(), ...plan, profile: { ...planOf().profile, ...plan.profile }, target: Tokens(target) },
        Tokens(before),
        rebuilt,
      ).atMost;
    expect(atMost(950, 1_000)).toBe(900 + 200);
    expect(atMost(850, 1_000)).toBe(850 + 200);
    expect(atMost(850, 1_300)).toBe(850);
  });
});

describe('a rebuilt context', () => {
  const { states } = run([...compactable(), request(), start(), complete()]);
  const last = states.at(-1);
  if (last?.status !== 'open') throw new Error('the session is open');

  it('is accepted if it is valid for its provider', () =>
    expect(verifyContext(last, CompactionId('c1'))).toBeUndefined());

  // Holds rule 5.60.
  it('is rejected under the provider’s rule that it breaks', () => {
    const marked = { name: 'read', input_schema: {}, cache_control: { type: 'ephemeral' } };
    const tools = Array.from({ length: 5 }, (_, at) => ({ ...marked, name: `read_${at}` }));
    const refused = verifyContext({ ...last, parts: { ...last.parts, tools } }, CompactionId('c1'));
    expect(refused).toMatchObject({
      rule: 'invalid-context',
      detail: expect.stringContaining('four cache marks'),
    });
  });
});

const planOf = () => {
  const plan = prepare(sessionOf(...compactable()));
  if (plan.kind === 'none') throw new Error('the session can be compacted');
  return plan;
};
