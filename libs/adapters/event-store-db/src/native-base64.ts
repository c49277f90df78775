import jspb from 'google-protobuf';

type BytesAsU8 = typeof jspb.Message.bytesAsU8;

/** The library's decoder works character by character, and runs twice for each appended event. */
const original: BytesAsU8 = jspb.Message.bytesAsU8;

/**
 * Makes the client's messages decode base64 with Node's decoder: the client passes JSON event data as base64, whose
 * decoding took a third of an append (docs/adr/0046). Bytes and absent values are unchanged.
 */
export const decodeNatively = (): void => {
  jspb.Message.bytesAsU8 = (value) => {
    if (typeof value !== 'string') return original(value);
    const { buffer, byteOffset, byteLength } = Buffer.from(value, 'base64');
    // A plain Uint8Array, because the library copies objects of any other class.
    return new Uint8Array(buffer, byteOffset, byteLength);
  };
};

/** Restores the library's decoder, for measurements. */
export const decodeAsLibrary = (): void => {
  jspb.Message.bytesAsU8 = original;
};
