import { EventId, eventIdOfHalves } from '../log/event-id.js';
import { NUMBER_MAX, STREAM_NAME_BYTES_MAX } from '../log/keys.js';
import { invalidArgument } from './grpc-failure.js';

/** The used parts of the protocol's messages. */
type StreamIdentifier = { getStreamName_asU8(): Uint8Array };
export type Uuid = {
  getStructured(): { getMostSignificantBits(): string; getLeastSignificantBits(): string } | undefined;
  hasString(): boolean;
  getString(): string;
};

/** The largest revision and position of EventStoreDB, whose numbers are signed. */
const INT64_MAX = 2n ** 63n - 1n;

/** Converts a 64-bit number of the protocol; numbers beyond `NUMBER_MAX` are clamped. */
export const clampedNumber = (digits: string): number => {
  const value = BigInt(digits);
  return value > BigInt(NUMBER_MAX) ? NUMBER_MAX : Number(value);
};

/** Whether an unsigned 64-bit number means “the end”: the upper half cannot be a signed revision. */
export const meansEnd = (digits: string): boolean => BigInt(digits) > INT64_MAX;

/** The metadata stream of an empty name. */
const METADATA_OF_NOTHING = Buffer.from('$$');

/** @throws {GrpcFailure} for a name that is missing, empty, `$$` or not UTF-8. */
export const streamNameOf = (identifier: StreamIdentifier | undefined): string => {
  const bytes = Buffer.from(identifier?.getStreamName_asU8() ?? []);
  if (bytes.length === 0) throw invalidArgument('a stream name is missing');
  if (bytes.equals(METADATA_OF_NOTHING)) throw invalidArgument('$$ is not a valid stream name');
  const name = bytes.toString('utf8');
  if (!Buffer.from(name).equals(bytes)) throw invalidArgument('a stream name must be UTF-8');
  return name;
};

/**
 * Returns the target stream of an append. @throws {GrpcFailure} as {@link streamNameOf}, and for $all and long names.
 */
export const targetStreamOf = (identifier: StreamIdentifier | undefined): string => {
  const name = streamNameOf(identifier);
  if (name === '$all') throw invalidArgument('events cannot be appended to $all');
  if (Buffer.byteLength(name) > STREAM_NAME_BYTES_MAX)
    throw invalidArgument(
      `a stream name may have at most ${STREAM_NAME_BYTES_MAX} bytes: choose a shorter one`,
    );
  return name;
};

/** @throws {GrpcFailure | AppError} if the id is missing or no GUID. */
export const eventIdOf = (uuid: Uuid | undefined): EventId => {
  const structured = uuid?.getStructured();
  if (structured)
    return eventIdOfHalves(
      BigInt(structured.getMostSignificantBits()),
      BigInt(structured.getLeastSignificantBits()),
    );
  if (!uuid?.hasString()) throw invalidArgument('an id is missing');
  return EventId(uuid.getString());
};
