import fc from 'fast-check';
import { elementRanges, memberRanges } from '../raw/ranges.js';
import { splice } from '../raw/splice.js';

const object = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1, maxKeys: 6 });
/** The same JSON with and without blanks. */
const written = fc.tuple(object, fc.constantFrom(0, 1, '\t')).map(([value, indent]) => ({
  value: JSON.parse(JSON.stringify(value)),
  text: JSON.stringify(value, null, indent),
}));

describe('splitting the text of a request', () => {
  it('yields its members, each complete', () =>
    fc.assert(
      fc.property(written, ({ value, text }) => {
        const ranges = [...memberRanges(text)];
        expect(
          Object.fromEntries(
            ranges.map(([name, { start, end }]) => [name, JSON.parse(text.slice(start, end))]),
          ),
        ).toEqual(Object.fromEntries(Object.entries(value)));
      }),
    ));

  it('yields the elements of a list', () =>
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), fc.constantFrom(0, 2), (list, indent) => {
        const text = JSON.stringify(list, null, indent);
        const elements = elementRanges(text, { start: 0, end: text.length });
        expect(elements.map(({ start, end }) => JSON.parse(text.slice(start, end)))).toEqual(
          JSON.parse(JSON.stringify(list)),
        );
      }),
    ));

  it('preserves every byte outside the replaced parts', () => {
    const text = '{ "a": 1.0, "big": 12345678901234567890, "messages" : [ 1 ], "z":"\\u00e9" }';
    expect(splice(text, [{ member: 'messages', json: '[2]' }]).text).toBe(
      '{ "a": 1.0, "big": 12345678901234567890, "messages" : [2], "z":"\\u00e9" }',
    );
    expect(
      splice(text, [
        { member: 'max', json: '1' },
        { member: 'z', json: '""' },
        { member: 'min', json: '0' },
      ]).text,
    ).toBe('{ "a": 1.0, "big": 12345678901234567890, "messages" : [ 1 ], "z":"","max":1,"min":0 }');
    expect(splice(text, [{ member: 'z', json: undefined }]).text).toBe(
      '{"a":1.0,"big":12345678901234567890,"messages":[ 1 ]}',
    );
  });
});
