import { parseQuoteLine, quoted, quoteLine } from '@app/domain';
import { segmentsOf } from '../src/text/quote.js';

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
  ])('is read back as it was written: %j', (segments) =>
    expect(parseQuoteLine(quoteLine(segments.map(quoted), 'm[1]'))).toEqual({ id: 'm[1]', segments }),
  );

  it.each(['- "One." [m1]', '> One. [m1]', '> "One."', '> "One." [m 1]', '> "\ud83d" [m1]', '> "a\0b" [m1]'])(
    'is not %j',
    (line) => expect(parseQuoteLine(line)).toBeUndefined(),
  );

  it('ends where a character could not be written as it is', () =>
    expect(segmentsOf('a\0b\ud83d c', 80).map(({ text }) => text)).toEqual(['a', 'b', 'c']));
});
