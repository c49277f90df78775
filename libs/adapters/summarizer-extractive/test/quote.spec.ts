import { checkQuotes, knownUserText, parseQuoteLine, quoted, quoteLine } from '@app/domain';
import { segmentsOf } from '../src/text/quote.js';
import { user } from './sessions.js';

describe('a quote', () => {
  it.each([
    [[{ text: 'One.', cut: false }]],
    [[{ text: 'Cut', cut: true }]],
    [
      [
        { text: 'Cut', cut: true },
        { text: 'Two.', cut: false },
      ],
    ],
    [
      [
        { text: 'Say "yes" …', cut: false },
        { text: 'Cut', cut: true },
      ],
    ],
  ])('is parsed to the text that was written: %j', (segments) =>
    expect(parseQuoteLine(quoteLine(segments.map(quoted), 'm[1]'))).toEqual({ id: 'm[1]', segments }),
  );

  it.each(['- "One." [m1]', '> One. [m1]', '> "One."', '> "One." [m 1]', '> "\ud83d" [m1]', '> "a\0b" [m1]'])(
    'is not parsed from %j',
    (line) => expect(parseQuoteLine(line)).toBeUndefined(),
  );

  it('ends before a character that cannot be written verbatim', () =>
    expect(segmentsOf('a\0b\ud83d c', 80).map(({ text }) => text)).toEqual(['a', 'b', 'c']));

  it('collapses columns of blanks to one blank', () => {
    const text = `Why is it ${' '.repeat(200)} │ denied`;
    const [segment] = segmentsOf(text, 80);
    expect(segment).toEqual({ text: 'Why is it │ denied', cut: false });
    const quote = `${quoteLine([quoted({ text: 'Why is it │ denied', cut: false })], 'm1')}`;
    const said = knownUserText([user('m1', text)], undefined);
    expect(checkQuotes(quote, said)).toEqual({ checked: 1, unfounded: [] });
  });
});
