import jspb from 'google-protobuf';

type BytesAsU8 = typeof jspb.Message.bytesAsU8;

/** As the library comes, it takes base64 apart character by character, and twice for each event that is appended. */
const original: BytesAsU8 = jspb.Message.bytesAsU8;

/**
 * Has the messages of the client decode base64 by Node's own decoder. The client hands the data of JSON events over as
 * base64, and to decode it took a third of an append (docs/adr/0046). Bytes, and nothing at all, stay what they are.
 */
export const decodeNatively = (): void => {
  jspb.Message.bytesAsU8 = (value) => {
    if (typeof value !== 'string') return original(value);
    const { buffer, byteOffset, byteLength } = Buffer.from(value, 'base64');
    // Not a Buffer: the library copies what is of any other class.
    return new Uint8Array(buffer, byteOffset, byteLength);
  };
};

/** Has them decode it as the library comes: for whoever measures the client as it is. */
export const decodeAsLibrary = (): void => {
  jspb.Message.bytesAsU8 = original;
};
