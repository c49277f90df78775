import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import fc from 'fast-check';
import { decodeAsLibrary, decodeNatively } from './native-base64.js';

const { BatchAppendReq } = streamsPb;

/** Returns the data bytes of a proposed event on the wire. */
const sentFor = (data: Uint8Array | string): Uint8Array => {
  const message = new BatchAppendReq.ProposedMessage();
  message.setData(data);
  return message.serializeBinary();
};

describe('decoding base64 natively', () => {
  afterAll(decodeAsLibrary);

  it('returns the same bytes as the library for any input', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 10_000 }), (bytes) => {
        const base64 = Buffer.from(bytes).toString('base64');
        decodeAsLibrary();
        const expected = sentFor(base64);
        decodeNatively();
        expect(sentFor(base64)).toEqual(expected);
        expect(sentFor(bytes)).toEqual(expected);
      }),
    );
  });

  it('returns a plain Uint8Array that protobuf does not copy, and leaves other fields alone', () => {
    decodeNatively();
    const message = new BatchAppendReq.ProposedMessage();
    message.setData('AAEC');
    expect(message.getData_asU8().constructor).toBe(Uint8Array);
    const own = Uint8Array.of(1, 2);
    message.setData(own);
    expect(message.getData_asU8()).toBe(own);
  });
});
