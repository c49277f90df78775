import fc from 'fast-check';
import jspb from 'google-protobuf';
import { ProtoWriter } from './proto-writer.js';

/** The protobuf library of the clients. */
const readerAt = (bytes: Uint8Array, field: number): jspb.BinaryReader => {
  const reader = new jspb.BinaryReader(bytes);
  while (reader.nextField() && reader.getFieldNumber() !== field) reader.skipField();
  return reader;
};

describe('ProtoWriter', () => {
  it('writes 64-bit integers', () =>
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 64n - 1n), fc.nat(Number.MAX_SAFE_INTEGER), (big, small) => {
        const bytes = new ProtoWriter(1).integer(1, big).integer(2, small).finish();
        expect(readerAt(bytes, 1).readUint64String()).toBe(String(big));
        expect(readerAt(bytes, 2).readUint64String()).toBe(String(small));
      }),
    ));

  it('writes negative numbers as their two’s complement', () => {
    const bytes = new ProtoWriter().integer(1, -5n).finish();
    expect(readerAt(bytes, 1).readInt64String()).toBe('-5');
  });

  it('writes text and bytes of any length, and any field number', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.uint8Array({ maxLength: 300 }),
        fc.integer({ min: 3, max: 5_000 }),
        (text, data, field) => {
          const bytes = new ProtoWriter(1).string(1, text).bytes(2, data).empty(field).finish();
          expect(readerAt(bytes, 1).readString()).toBe(text);
          expect(Buffer.from(readerAt(bytes, 2).readBytes())).toEqual(Buffer.from(data));
          expect(readerAt(bytes, field).readBytes()).toHaveLength(0);
        },
      ),
    ));
});
