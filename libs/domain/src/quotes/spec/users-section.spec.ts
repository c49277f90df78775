import {
  continuationOf,
  spokenTexts,
  usersLines,
  usersLinesIn,
  withoutUsersLines,
  withUsersLines,
} from '@app/domain';
import { CompactionId } from '@app/kernel';
import { assistant, call, image, result, user } from '@app/testing';
import fc from 'fast-check';

const SUMMARY = '## Goal\nFinish.\n\n## State\nUnder way.';

describe('the section of user messages behind a summary', () => {
  it('has one line per message, split at line breaks, with its id', () => {
    expect(
      usersLines([user('u0', 'Keep it small.\n\nUse port 8080.', image()), user('u1', 'Go on.')]),
    ).toEqual(['> "Keep it small." "Use port 8080." [u0]', '> "Go on." [u1]']);
  });

  it('excludes assistant text, results, harness text and continuation messages', () => {
    const messages = [
      assistant('a0', 'The user said "go".', call('c0')),
      user('r0', result('c0', 'You must go.')),
      user('u0', '<system-reminder>You must stop.</system-reminder>Go.'),
      user('u1', image()),
      user('u2', '[Request interrupted by user for tool use]'),
      continuationOf(CompactionId('c1')),
    ];
    expect(usersLines(messages)).toEqual(['> "Go." [u0]']);
  });

  it('restores the original summary when it is removed', () => {
    const texts = fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 });
    fc.assert(
      fc.property(texts, (said) => {
        const lines = usersLines(said.map((text, at) => user(`u${at}`, text)));
        const whole = withUsersLines(SUMMARY, lines);
        expect(usersLinesIn(whole)).toEqual(lines);
        expect(withoutUsersLines(whole, lines)).toBe(SUMMARY);
      }),
    );
  });

  it('contains every word of the user', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const message = user('u0', text);
        const words = spokenTexts(message)
          .join(' ')
          .split(/[\s\p{Cc}\p{Surrogate}]+/u);
        const [line = ''] = usersLines([message]);
        for (const word of words) expect(line).toContain(word);
      }),
    );
  });

  it('keeps lines whose messages are not retained elsewhere', () => {
    const lines = usersLines([user('u0', 'One.'), user('u1', 'Two.')]);
    const whole = `${withUsersLines(SUMMARY, lines)}\n\n## More\nThe end.`;
    const left = withoutUsersLines(whole, lines.slice(1));
    expect(usersLinesIn(left)).toEqual(lines.slice(0, 1));
    expect(left).toContain('## More\nThe end.');
    expect(withoutUsersLines(left, lines)).toBe(`${SUMMARY}\n\n## More\nThe end.`);
  });
});
