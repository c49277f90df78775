import { holdsContent, withoutContent } from './content.js';

const ANSWER = {
  revision: 7,
  pins: [
    { pinId: 'a', text: 'No new dependencies.' },
    { pinId: 'b', text: 'Be brief.' },
  ],
  a: { summary: { tokens: 9, text: 'It was long.' } },
  b: { summary: null },
};

describe('removing text from an answer', () => {
  it('removes the declared members and lists them as withheld', () => {
    expect(withoutContent(ANSWER, ['pins[].text', 'a.summary.text', 'b.summary.text'])).toEqual({
      revision: 7,
      pins: [
        { pinId: 'a', withheld: ['text'] },
        { pinId: 'b', withheld: ['text'] },
      ],
      a: { summary: { tokens: 9, withheld: ['text'] } },
      b: { summary: null },
    });
  });

  it('removes members from lists, and several members of one object', () => {
    const answer = [{ id: 1, text: 'one', content: ['two'] }];
    expect(withoutContent(answer, ['[].text', '[].content'])).toEqual([
      { id: 1, withheld: ['text', 'content'] },
    ]);
  });

  it('ignores members that are empty', () => {
    expect(holdsContent(ANSWER, ['a.summary.text'])).toBe(true);
    expect(holdsContent(ANSWER, ['b.summary.text'])).toBe(false);
    expect(holdsContent({ summary: null }, ['summary'])).toBe(false);
    expect(holdsContent([], ['[].text'])).toBe(false);
  });

  it('leaves the original answer unchanged', () => {
    withoutContent(ANSWER, ['pins[].text']);
    expect(ANSWER.pins[0]).toEqual({ pinId: 'a', text: 'No new dependencies.' });
  });
});
