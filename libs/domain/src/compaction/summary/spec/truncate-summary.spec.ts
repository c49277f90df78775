import { truncateSummary, verifySummary } from '@app/domain';
import { isWellFormed } from '@app/kernel';
import fc from 'fast-check';

const SUMMARY = [
  '## Goal',
  'Build it.',
  'And test it.',
  '',
  'With care.',
  '',
  '## Notes',
  'one',
  'two',
  '',
  '## State',
  'Half built.',
  '',
  'The rest waits.',
].join('\n');
const within = (max: number) => (text: string) => text.length <= max;
const truncated = (max: number) => truncateSummary(SUMMARY, within(max));

describe('truncating a summary', () => {
  it('returns a summary that fits unchanged', () => expect(truncated(SUMMARY.length)).toBe(SUMMARY));

  // Holds rule 5.74.
  it('removes the last paragraphs first', () =>
    expect(truncated(SUMMARY.length - 1)).toBe(SUMMARY.slice(0, SUMMARY.lastIndexOf('\n\n'))));

  it('keeps the first paragraph under each required heading longest', () =>
    expect(truncated(65)).toBe('## Goal\nBuild it.\nAnd test it.\n\nWith care.\n\n## State\nHalf built.'));

  it('ends after a line if no paragraph fits', () =>
    expect(truncated(30)).toBe('## Goal\nBuild it.\n\n## State'));

  it('ends within a line only if no line fits', () =>
    expect(truncateSummary(`## Goal\n${'x'.repeat(50)}\n\n## State\ny`, within(30))).toBe(
      `## Goal\n${'x'.repeat(12)}\n\n## State`,
    ));

  it('returns nothing if the headings alone exceed the limit', () => expect(truncated(10)).toBeUndefined());

  it('returns a valid summary of whole characters within the limit for any text', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ unit: 'grapheme', maxLength: 40 }),
            fc.constantFrom('', '## State', '# Goal', '👩‍👩‍👧 é'),
          ),
          { maxLength: 20 },
        ),
        fc.integer({ min: 20, max: 300 }),
        (lines, max) => {
          const summary = ['## Goal', ...lines, '## State', ...lines].join('\n');
          const short = truncateSummary(summary, within(max));
          expect(short?.length ?? 0).toBeLessThanOrEqual(max);
          expect(verifySummary({ text: short ?? '', finish: 'stop' })).toBeUndefined();
          expect(isWellFormed(short ?? '')).toBe(true);
        },
      ),
      { seed: 20_261_121, numRuns: 500 },
    ));
});
