import { AppError, ProtoWriter } from '@app/kernel';
import { EventId } from './event-id.js';
import { NUMBER_MAX, readNumber, writeNumber } from './keys.js';

/** An event of an append request. */
export type ProposedEvent = {
  readonly id: EventId;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
};
export type Placement = {
  readonly stream: string;
  /** {@link TOMBSTONE_REVISION} for a tombstone. */
  readonly revision: number;
  readonly position: number;
  readonly createdAt: Date;
};

/*
 * A record is a header of fixed length with the offsets of the parts, and the event as the protobuf message
 * RecordedEvent, which streams and persistent subscriptions share: a read copies the bytes.
 *
 *   0  format, 1 byte        25  offset and length of the stream's name, 4 + 4
 *   1  event id, 16          33  offset and length of the type, 4 + 4
 *  17  revision, 8           41  offset and length of the data, 4 + 4
 *                            49  offset and length of the metadata, 4 + 4
 *                            57  creation time, milliseconds since 1970, 8
 */
const FORMAT = 1;
const HEAD_BYTES = 65;
const NAME_AT = 25;
const TYPE_AT = 33;
const DATA_AT = 41;
const METADATA_AT = 49;
const CREATED_AT = 57;

/** The revision of a tombstone: the largest one here, and on the wire the largest int64. */
export const TOMBSTONE_REVISION = NUMBER_MAX;
const INT64_MAX = 2n ** 63n - 1n;

export const encodeRecord = (event: ProposedEvent, placement: Placement): Buffer => {
  const { stream, revision, position, createdAt } = placement;
  const parts = Buffer.alloc(HEAD_BYTES);
  const body = new ProtoWriter(event.data.length + event.metadata.length + stream.length + 320);
  const noteLast = (at: number, length: number): void => {
    parts.writeUInt32BE(HEAD_BYTES + body.length - length, at);
    parts.writeUInt32BE(length, at + 4);
  };

  body.bytes(1, new ProtoWriter(40).string(2, event.id).finish());
  body.bytes(2, new ProtoWriter(stream.length + 8).string(3, stream).finish());
  noteLast(NAME_AT, Buffer.byteLength(stream));
  body
    .integer(3, revision === TOMBSTONE_REVISION ? INT64_MAX : revision)
    .integer(4, position)
    .integer(5, position);
  body.bytes(6, systemProperty('type', event.type));
  noteLast(TYPE_AT, Buffer.byteLength(event.type));
  body.bytes(6, systemProperty('content-type', event.contentType));
  body.bytes(6, systemProperty('created', `${createdAt.getTime()}${TICKS_BELOW_MS}`));
  body.bytes(7, event.metadata);
  noteLast(METADATA_AT, event.metadata.length);
  body.bytes(8, event.data);
  noteLast(DATA_AT, event.data.length);

  parts.writeUInt8(FORMAT, 0);
  parts.write(event.id.replaceAll('-', ''), 1, 16, 'hex');
  writeNumber(parts, revision, 17);
  writeNumber(parts, createdAt.getTime(), CREATED_AT);
  return Buffer.concat([parts, body.finish()]);
};

/** Ticks are units of 100 nanoseconds since 1970: milliseconds with four more digits. */
const TICKS_BELOW_MS = '0000';
const systemProperty = (key: string, value: string): Buffer =>
  new ProtoWriter(key.length + value.length + 12).string(1, key).string(2, value).finish();

/** Appended to the type of a record whose content type is JSON. */
const JSON_CONTENT = new ProtoWriter().bytes(6, systemProperty('content-type', 'application/json')).finish();

/** An event of the log. Decodes its parts on demand: most readers only forward the bytes. */
export class StoredEvent {
  #stream: string | undefined;
  #type: string | undefined;

  constructor(
    readonly position: number,
    readonly record: Buffer,
  ) {
    if (record[0] !== FORMAT)
      throw new AppError('corrupt-event', `the record at position ${position} is of an unknown format`);
  }

  get id(): EventId {
    return EventId(this.record.toString('hex', 1, 17));
  }
  get revision(): number {
    return readNumber(this.record, 17);
  }
  // Cached, since every subscriber reads it.
  get stream(): string {
    this.#stream ??= this.#part(NAME_AT).toString('utf8');
    return this.#stream;
  }
  get type(): string {
    this.#type ??= this.#part(TYPE_AT).toString('utf8');
    return this.#type;
  }
  /** Whether the content type is exactly `application/json`. */
  get isJson(): boolean {
    const end = this.record.readUInt32BE(TYPE_AT) + this.record.readUInt32BE(TYPE_AT + 4);
    return this.record.subarray(end, end + JSON_CONTENT.length).equals(JSON_CONTENT);
  }
  get data(): Buffer {
    return this.#part(DATA_AT);
  }
  get metadata(): Buffer {
    return this.#part(METADATA_AT);
  }
  /** Milliseconds since 1970. */
  get createdAt(): number {
    return readNumber(this.record, CREATED_AT);
  }
  /** The encoded message RecordedEvent. */
  get message(): Buffer {
    return this.record.subarray(HEAD_BYTES);
  }

  #part(at: number): Buffer {
    const offset = this.record.readUInt32BE(at);
    return this.record.subarray(offset, offset + this.record.readUInt32BE(at + 4));
  }
}
