import fc from 'fast-check';
import { deletion, reopening } from '../metadata-events.js';
import { firstReadable, firstYoungEnough, oldestReadable } from '../readable-range.js';
import { NO_METADATA, parseMetadata } from '../stream-metadata.js';

const parsedText = (text: string, isJson = true) => parseMetadata({ data: Buffer.from(text), isJson });
const parsed = (value: unknown) => parsedText(JSON.stringify(value));
const count = fc.nat({ max: 50 });

describe('metadata', () => {
  it('reads metadata back as written', () =>
    fc.assert(
      fc.property(count, count, count, ($tb, $maxCount, $maxAge) =>
        expect(parsed({ $tb, $maxCount: $maxCount + 1, $maxAge: $maxAge + 1, own: 1 })).toEqual({
          isDeleted: false,
          truncateBefore: $tb,
          maxCount: $maxCount + 1,
          maxAge: $maxAge + 1,
        }),
      ),
    ));

  it('never throws on malformed metadata', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => expect(parsedText(text).isDeleted).toBe(false)),
    ));

  it.each([{ $tb: -1 }, { $tb: 1.5 }, { $maxCount: 0 }, { $maxAge: '1' }])(
    'ignores all members if one is malformed: %p',
    (value) => expect(parsed({ $maxCount: 5, ...value })).toEqual(NO_METADATA),
  );

  it('ignores metadata with another content type than JSON', () =>
    expect(parsedText('{"$maxCount":5}', false)).toEqual(NO_METADATA));

  it('marks a stream as deleted with exactly one value of $tb', () => {
    expect(parsedText(Buffer.from(deletion().data).toString()).isDeleted).toBe(true);
    expect(parsedText('{"$tb":9223372036854775806}').isDeleted).toBe(false);
    expect(parsedText('{"x":{"$tb":9223372036854775807}}').isDeleted).toBe(false);
  });

  const own = fc
    .dictionary(fc.string(), fc.jsonValue())
    .filter((value) => !JSON.stringify(value).includes('$tb'));

  it.each(['"$tb":1', '"$tb" : 9223372036854775807', undefined])(
    'keeps everything but $tb when a stream is reopened: %s',
    (before) =>
      fc.assert(
        fc.property(own, count, (rest, from) => {
          const members = [JSON.stringify(rest).slice(1, -1), before ?? ''].filter((part) => part !== '');
          const opened = reopening(Buffer.from(`{${members.join(',')}} `), from);
          expect(JSON.parse(String(opened?.data))).toEqual({
            ...JSON.parse(JSON.stringify(rest)),
            $tb: from,
          });
        }),
      ),
  );

  it('keeps a number that JavaScript cannot represent', () => {
    const opened = reopening(Buffer.from('{"$tb":9223372036854775807,"n":9007199254740993}'), 3);
    expect(String(opened?.data)).toBe('{"$tb":3,"n":9007199254740993}');
  });
});

describe('readable range', () => {
  const last = fc.nat({ max: 60 });
  const metadata = fc
    .record({ maxCount: fc.option(count.map((n) => n + 1)), truncateBefore: fc.option(count) })
    .map(({ maxCount, truncateBefore }) => ({
      isDeleted: false,
      ...(maxCount !== null && { maxCount }),
      ...(truncateBefore !== null && { truncateBefore }),
    }));

  it('excludes truncated events and events above the maximum count', () =>
    fc.assert(
      fc.property(metadata, last, (given, end) => {
        const revisions = Array.from({ length: end + 1 }, (_, revision) => revision);
        const newest = revisions.slice(-(given.maxCount ?? revisions.length));
        const expected = newest.filter((revision) => revision >= (given.truncateBefore ?? 0));
        expect(revisions.filter((revision) => revision >= firstReadable(given, end))).toEqual(expected);
      }),
    ));

  it('excludes events above the maximum age', () =>
    fc.assert(
      fc.property(last, last, count, (low, length, old) => {
        const high = low + length;
        const found = firstYoungEnough(low, high, (revision) => revision >= old);
        expect(found).toBe(Math.min(Math.max(low, old), high + 1));
      }),
    ));

  it('includes everything without a maximum age', () => {
    expect(oldestReadable({ isDeleted: false }, 5)).toBe(Number.NEGATIVE_INFINITY);
    expect(oldestReadable({ isDeleted: false, maxAge: 2 }, 5_000)).toBe(3_000);
  });
});
