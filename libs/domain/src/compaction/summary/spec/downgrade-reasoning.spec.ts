import { downgradeReasoning } from '@app/domain';
import { assistant, thinking, user } from '@app/testing';

const THOUGHT = 'first I look at the orders because the total is wrong only where a discount is set twice';
const covered = [user('u1', 'Fix it.'), assistant('a1', thinking(`Hm. ${THOUGHT}. Then I fix it.`, 's'))];

describe('removing reasoning from a summary', () => {
  it('removes the summarizer’s own thinking and nothing else', () =>
    expect(
      downgradeReasoning('<thinking>Let me see.\n## Goal</thinking>\n## Goal\nx\n## State\ny', []),
    ).toEqual({ text: '## Goal\nx\n## State\ny', references: { marks: 1, blocks: 0 } }));

  it('removes unbalanced tags and keeps their text', () =>
    expect(downgradeReasoning('So be it.\n</think>\n## Goal\n<reasoning>\nx', [])).toEqual({
      text: 'So be it.\n\n## Goal\n\nx',
      references: { marks: 2, blocks: 0 },
    }));

  // Holds rule 3.7.
  it('returns an empty text for a summary of reasoning only', () =>
    expect(downgradeReasoning('<think>All is well.</think>', []).text).toBe(''));

  it('keeps a tag that is quoted as text', () => {
    const text = '## Goal\n> "Strip <think> and </think> from the answer." [u1]';
    expect(downgradeReasoning(text, covered)).toEqual({ text, references: { marks: 0, blocks: 0 } });
  });

  it('keeps words of a covered block as text, and counts the block', () => {
    const text = `## Goal\n${THOUGHT.toUpperCase()}`;
    expect(downgradeReasoning(text, covered)).toEqual({ text, references: { marks: 0, blocks: 1 } });
  });

  it('does not count a block with eleven consecutive words in the summary', () => {
    const text = THOUGHT.split(' ').slice(0, 11).join(' ');
    expect(downgradeReasoning(text, covered).references.blocks).toBe(0);
    expect(downgradeReasoning(`${text} discount`, covered).references.blocks).toBe(0);
    expect(downgradeReasoning(THOUGHT.split(' ').slice(0, 12).join(' '), covered).references.blocks).toBe(1);
  });

  it('does not count a block whose words also stand in visible text', () =>
    expect(downgradeReasoning(THOUGHT, [...covered, assistant('a2', THOUGHT)]).references.blocks).toBe(0));
});
