import { keysOf, WORDS_MIN } from '@app/domain';
import fc from 'fast-check';
import { excerptsOf } from './excerpts.js';

const excerptsWith = (line: string, ...names: readonly string[]): readonly string[] =>
  excerptsOf(line, (key) => names.includes(key)).map(({ text }) => text);

describe('an excerpt', () => {
  const line =
    'We looked at the whole of the module again and renamed parseConfig there, then we went on to the next one.';

  it('is a name with its surrounding words, up to the end of the clause', () =>
    expect(excerptsWith(line, 'parseConfig')).toEqual(['… again and renamed parseConfig there, …']));

  it('is not taken from a short line or a line without a wanted name', () => {
    expect(excerptsWith(line, 'loadConfig')).toEqual([]);
    expect(excerptsWith('We renamed parseConfig yesterday.', 'parseConfig')).toEqual([]);
  });

  it('contains two adjacent names', () => {
    const both = `The function readRows hands its rows to mapRows, ${'and so on '.repeat(9)}`;
    expect(excerptsWith(both, 'readRows', 'mapRows')).toContain(
      'The function readRows hands its rows to mapRows, …',
    );
  });

  it('shortens a long path to its last segments', () =>
    expect(
      excerptsWith(
        'The file /home/somebody/projects/service/packages/core/src/config/loader.ts has been updated successfully.',
        'src/config/loader.ts',
      ),
    ).toEqual(['…/src/config/loader.ts has been updated …']));

  it('does not split code in backticks', () =>
    expect(
      excerptsWith(
        'After that one the theme has a `darkCyan: one two three` colour set in it for borders.',
        'one',
        'darkCyan',
      ),
    ).toEqual(['… `darkCyan: one two three` colour …']));

  it('has words next to a quoted phrase', () =>
    expect(
      excerptsWith(
        'There is a switch in the menu, called "keep the rows", which nobody has ever used so far.',
        '"keep the rows',
      ),
    ).toEqual(['… menu, called "keep the rows", …']));

  const token = fc.constantFrom(
    'parseConfig',
    'src/a/b/loader.ts',
    '/home/somebody/projects/service/src/config/loader.ts',
    '`loadRows()`',
    '`two words`',
    '"in quotes"',
    'renamed',
    'went',
    'module,',
    'loader.',
    'a',
    '—',
    '中文',
    '#12',
    '--fast',
    'x'.repeat(30),
  );
  const lines = fc.array(token, { maxLength: 30 }).map((tokens) => tokens.join(' '));
  const everyExcerpt = (holds: (text: string, line: string, keys: readonly string[]) => void) =>
    fc.assert(
      fc.property(lines, (line) => {
        for (const { text, keys } of excerptsOf(line, () => true)) holds(text, line, keys);
      }),
    );

  // Holds rule 6.6.
  it('is a literal part of its line', () =>
    everyExcerpt((text, line) => expect(line).toContain(text.replace(/^… ?| …$/g, ''))));

  // Holds rule 6.7.
  it('contains its names and words next to them', () =>
    everyExcerpt((text, _, keys) => {
      const found = keysOf(text);
      expect([...found.keys.keys()]).toEqual(expect.arrayContaining([...keys]));
      expect(found.words).toBeGreaterThanOrEqual(WORDS_MIN);
    }));

  it('is shorter than its line', () =>
    everyExcerpt((text, line) => expect(text.length).toBeLessThan(line.length)));

  it('of an excerpt contains no two adjacent ellipses', () =>
    everyExcerpt((text) => {
      for (const again of excerptsOf(text, () => true)) expect(again.text).not.toMatch(/… ?…/);
    }));
});
