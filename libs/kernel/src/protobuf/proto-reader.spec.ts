import fc from 'fast-check';
import { ProtoReader } from './proto-reader.js';
import { ProtoWriter } from './proto-writer.js';

describe('ProtoReader', () => {
  const field = fc.integer({ min: 1, max: 2 ** 29 - 1 });
  const integer = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

  it('reads all field types back', () =>
    fc.assert(
      fc.property(
        field,
        integer,
        fc.uint8Array(),
        fc.string({ unit: 'grapheme' }),
        (at, number, bytes, text) => {
          const message = new ProtoWriter().integer(at, number).bytes(1, bytes).integer(2, 7).string(3, text);
          const reader = new ProtoReader(message.finish());
          expect([reader.next(), reader.field, reader.integer()]).toEqual([true, at, number]);
          expect([reader.next(), reader.field, reader.bytes()]).toEqual([true, 1, Buffer.from(bytes)]);
          expect([reader.next(), reader.field]).toEqual([true, 2]);
          reader.skip();
          expect([reader.next(), reader.field, reader.string()]).toEqual([true, 3, text]);
          expect(reader.next()).toBe(false);
        },
      ),
    ));

  it('rejects a message that ends within a field', () => {
    const message = new ProtoWriter().string(1, 'text').finish();
    for (let length = 1; length < message.length; length += 1) {
      const reader = new ProtoReader(message.subarray(0, length));
      expect(() => reader.next() && reader.string()).toThrow(RangeError);
    }
  });

  it.each([
    ['a group', [0x0b]],
    ['a number without an end', [0x08, ...Array<number>(12).fill(0xff)]],
  ])('refuses %s', (_, bytes) => {
    const reader = new ProtoReader(Buffer.from(bytes));
    reader.next();
    expect(() => reader.skip()).toThrow(RangeError);
  });
});
