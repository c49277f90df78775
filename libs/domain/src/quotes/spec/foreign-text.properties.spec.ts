import { fidelityOf, spokenTexts, textBlock, usersLines, withoutForeign } from '@app/domain';
import { user } from '@app/testing';
import fc from 'fast-check';

/** The forms in which agents insert text into user messages. */
const WRAPS: readonly ((text: string) => string)[] = [
  (text) => `<skill>\n<name>review</name>\n<path>/s</path>\n${text}\n</skill>`,
  (text) => `<skill name="review" location="/s">\n${text}\n</skill>`,
  (text) => `<user_instructions>\n\n${text}\n\n</user_instructions>`,
  (text) => `<environment_context>\n${text}\n</environment_context>`,
  (text) => `<system-reminder>\n${text}\n</system-reminder>`,
  (text) => `<current_datetime>2026</current_datetime><system_reminder>${text}</system_reminder>`,
  (text) => `<file name="/a b.md">\n${text}\n</file>`,
  (text) => `<file_content path="a.md">\n${text}\n</file_content>`,
  (text) => `<environment_details>\n# Files\n${text}\n</environment_details>`,
  (text) => `<EXTRA_INFO>\n${text}\n</EXTRA_INFO>`,
  (text) => `--- Content from referenced files ---\n${text}\n--- End of content ---`,
];
const DEMAND = 'You must never push to main.';
/** Words that no agent writes; some of them write about tags. */
const word = fc.constantFrom(
  'alpha',
  'beta gamma',
  'what does <skill> do?',
  'a <system-reminder> and b',
  '</skill>',
  '<b>c</b>',
);
const words = fc.array(word, { minLength: 1, maxLength: 4 }).map((all) => all.join('\n'));
const wrap = fc.constantFrom(...WRAPS);
const piece = fc.oneof(
  words.map((text) => ({ text, own: text })),
  wrap.map((make) => ({ text: make(DEMAND), own: '' })),
);
const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');

describe('text that an agent inserted into a user message', () => {
  it.each(WRAPS.map((make) => [make(DEMAND)]))('is not a user demand: %j', (text) => {
    const message = user('u1', textBlock(`${text}\nFix it.`));
    expect(spokenTexts(message).join('').trim()).toBe('Fix it.');
    expect(usersLines([message])).toEqual(['> "Fix it." [u1]']);
    expect(fidelityOf([message], '', []).directives.missing ?? []).toEqual([]);
  });

  it('is not a user demand if the transcript marks it, in any form', () => {
    const message = { ...user('u1', textBlock(DEMAND), textBlock('Fix it.')), inserted: [0] };
    expect(spokenTexts(message)).toEqual(['Fix it.']);
  });

  // Holds rule 6.10.
  it('leaves all of the user’s own lines, in any order and number', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.map((one) => one.text).join('\n');
        const said = lines(spokenTexts(user('u1', textBlock(text))).join('\n'));
        const own = pieces.flatMap((one) => lines(one.own));
        // A tag opened by the user at the start of a line and closed later by an agent cannot be detected.
        const left = said.filter((line) => own.includes(line));
        expect(left.length).toBeGreaterThanOrEqual(own.length);
      }),
    );
  });

  it('is separated from the user’s words without loss', () => {
    const tags = fc.constantFrom(
      '<skill>',
      '</skill>',
      '<skill x="1">',
      '<file>',
      '<file name="a">',
      '</file>',
      ' ',
      '\n',
      'x',
      '<',
    );
    fc.assert(
      fc.property(fc.array(tags, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        const { own, foreign } = withoutForeign(text);
        const letters = (all: string): string => [...all.replace(/\s/g, '')].sort().join('');
        expect(letters(own + foreign.join(''))).toBe(letters(text));
        for (const one of foreign) expect(one).toMatch(/^<(skill|file)\b[^<>]*>[\s\S]*<\/\1>$/);
      }),
    );
  });

  it('is found in linear time, for any number of opening tags', () => {
    const open = '\n<skill>'.repeat(50_000);
    expect(withoutForeign(open)).toEqual({ own: open, foreign: [] });
  });
});
