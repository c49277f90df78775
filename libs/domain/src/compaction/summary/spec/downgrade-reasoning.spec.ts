import { downgradeReasoning } from '@app/domain';
import { assistant, thinking, user } from '@app/testing';

const THOUGHT = 'first I look at the orders because the total is wrong only where a discount is set twice';
const covered = [user('u1', 'Fix it.'), assistant('a1', thinking(`Hm. ${THOUGHT}. Then I fix it.`, 's'))];

describe('a summary that refers to reasoning', () => {
  it('loses what its writer thought, and nothing else', () =>
    expect(
      downgradeReasoning('<thinking>Let me see.\n## Goal</thinking>\n## Goal\nx\n## State\ny', []),
    ).toEqual({ text: '## Goal\nx\n## State\ny', references: { marks: 1, blocks: 0 } }));

  it('loses marks that have no other end, and keeps their text', () =>
    expect(downgradeReasoning('So be it.\n</think>\n## Goal\n<reasoning>\nx', [])).toEqual({
      text: 'So be it.\n\n## Goal\n\nx',
      references: { marks: 2, blocks: 0 },
    }));

  // Holds rule 3.7.
  it('is nothing where it was reasoning only', () =>
    expect(downgradeReasoning('<think>All is well.</think>', []).text).toBe(''));

  it('keeps a mark that somebody writes about', () => {
    const text = '## Goal\n> "Strip <think> and </think> from the answer." [u1]';
    expect(downgradeReasoning(text, covered)).toEqual({ text, references: { marks: 0, blocks: 0 } });
  });

  it('keeps the words of a covered block as text, and counts the block', () => {
    const text = `## Goal\n${THOUGHT.toUpperCase()}`;
    expect(downgradeReasoning(text, covered)).toEqual({ text, references: { marks: 0, blocks: 1 } });
  });

  it('counts no block of which eleven words in a row stand in it', () => {
    const text = THOUGHT.split(' ').slice(0, 11).join(' ');
    expect(downgradeReasoning(text, covered).references.blocks).toBe(0);
    expect(downgradeReasoning(`${text} discount`, covered).references.blocks).toBe(0);
    expect(downgradeReasoning(THOUGHT.split(' ').slice(0, 12).join(' '), covered).references.blocks).toBe(1);
  });

  it('counts no block whose words were said openly as well', () =>
    expect(downgradeReasoning(THOUGHT, [...covered, assistant('a2', THOUGHT)]).references.blocks).toBe(0));
});
