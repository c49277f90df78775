import { ProtoWriter } from '@app/kernel';
import type { ExpectedRevision } from '@app/ports';

/** An event as it is sent: `data` and `metadata` are JSON texts in UTF-8. */
export type Encoded = {
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
};

export type AppendRequest = {
  /** A UUID, which the answer repeats. */
  readonly correlation: string;
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly Encoded[];
  /** Deadline after which the server rejects the append, in milliseconds since 1970. */
  readonly deadline: number;
};

/** Bytes of a message around the parts of variable length, and of an event around its own. */
const FRAME = 160;

/**
 * Encodes `message BatchAppendReq` of one append. The client's generated classes took a tenth of the process's time under load,
 * and encode every event twice.
 */
export const encodeAppend = ({ correlation, stream, expected, events, deadline }: AppendRequest): Buffer => {
  const size = events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length + FRAME, FRAME);
  const writer = new ProtoWriter(size + stream.length)
    .bytes(1, uuid(correlation))
    .bytes(2, optionsOf(stream, expected, deadline));
  for (const event of events) writer.bytes(3, proposed(event));
  return writer.boolean(4, true).finish();
};

const uuid = (text: string): Buffer => new ProtoWriter(40).string(2, text).finish();

const optionsOf = (stream: string, expected: ExpectedRevision, deadline: number): Buffer => {
  const writer = new ProtoWriter(stream.length + 64).bytes(
    1,
    new ProtoWriter(stream.length + 8).string(3, stream).finish(),
  );
  if (expected === 'no-stream') writer.empty(3);
  else if (expected === 'any') writer.empty(4);
  else writer.integer(2, expected);
  return writer.bytes(6, timestamp(deadline)).finish();
};

const timestamp = (milliseconds: number): Buffer =>
  new ProtoWriter(20)
    .integer(1, Math.floor(milliseconds / 1_000))
    .integer(2, (milliseconds % 1_000) * 1_000_000)
    .finish();

const proposed = ({ id, type, data, metadata }: Encoded): Buffer =>
  new ProtoWriter(data.length + metadata.length + FRAME)
    .bytes(1, uuid(id))
    .bytes(2, property('type', type))
    .bytes(2, CONTENT_TYPE)
    .bytes(3, metadata)
    .bytes(4, data)
    .finish();

const property = (name: string, value: string): Buffer =>
  new ProtoWriter(64).string(1, name).string(2, value).finish();
const CONTENT_TYPE = property('content-type', 'application/json');
