import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { LoggedEvent } from '../events/raw-event.js';
import type { Connection } from './connection.js';
import { asAppError } from './failures.js';

const { Empty, StreamIdentifier } = sharedPb;
const { ReadReq } = streamsPb;
const { Options } = ReadReq;
const { AllOptions, Position, StreamOptions, UUIDOption, ControlOption } = Options;

const FORWARDS = 0;
const BACKWARDS = 1;
const NO_LIMIT = String(2n ** 63n - 1n);
const COMPATIBLE = 1;

/** Yields every event of the log in order, or those behind a position, up to its current end, with backpressure. */
export async function* readAll(
  connection: Connection,
  after?: bigint,
): AsyncGenerator<LoggedEvent, void, undefined> {
  const all = new AllOptions();
  if (after === undefined) all.setStart(new Empty());
  else all.setPosition(positionAt(after));
  const options = newOptions(FORWARDS, NO_LIMIT);
  options.setAll(all);
  for await (const reply of replies(connection, options)) {
    const recorded = reply.getEvent()?.getEvent();
    if (!recorded) continue;
    const event = rawEvent(recorded);
    // Servers answer with the event at the position itself, too.
    if (after === undefined || event.position > after) yield event;
  }
}

/** Returns the commit position of the newest event; 0 for an empty log. */
export const endOfLog = async (connection: Connection): Promise<bigint> => {
  const all = new AllOptions();
  all.setEnd(new Empty());
  const options = newOptions(BACKWARDS, '1');
  options.setAll(all);
  for await (const reply of replies(connection, options)) {
    const recorded = reply.getEvent()?.getEvent();
    if (recorded) return BigInt(recorded.getCommitPosition());
  }
  return 0n;
};

/** The end of a stream as far as it is readable. */
export type StreamEnd =
  | { readonly kind: 'at'; readonly revision: bigint }
  | { readonly kind: 'missing' }
  /** The stream exists, but has no readable events. */
  | { readonly kind: 'hidden' };

export const endOf = async (connection: Connection, stream: string): Promise<StreamEnd> => {
  const identifier = new StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream).toString('base64'));
  const source = new StreamOptions();
  source.setStreamIdentifier(identifier);
  source.setEnd(new Empty());
  const options = newOptions(BACKWARDS, '1');
  options.setStream(source);
  let end: StreamEnd = { kind: 'hidden' };
  for await (const reply of replies(connection, options)) {
    const recorded = reply.getEvent()?.getEvent();
    if (recorded) end = { kind: 'at', revision: BigInt(recorded.getStreamRevision()) };
    else if (reply.hasStreamNotFound()) end = { kind: 'missing' };
  }
  return end;
};

const positionAt = (position: bigint): InstanceType<typeof Position> => {
  const place = new Position();
  place.setCommitPosition(String(position));
  place.setPreparePosition(String(position));
  return place;
};

const newOptions = (direction: 0 | 1, count: string): ReadOptions => {
  const uuids = new UUIDOption();
  uuids.setString(new Empty());
  const control = new ControlOption();
  control.setCompatibility(COMPATIBLE);
  const options = new Options();
  options.setReadDirection(direction);
  options.setResolveLinks(false);
  options.setCount(count);
  options.setNoFilter(new Empty());
  options.setUuidOption(uuids);
  options.setControlOption(control);
  return options;
};
type ReadOptions = InstanceType<typeof Options>;

async function* replies(
  connection: Connection,
  options: ReadOptions,
): AsyncGenerator<ReadResp, void, undefined> {
  const request = new ReadReq();
  request.setOptions(options);
  try {
    const call = await connection.call((stub, metadata, settings) => stub.read(request, metadata, settings));
    try {
      const items: AsyncIterable<ReadResp> = call;
      yield* items;
    } finally {
      call.on('error', () => undefined); // The call is cancelled; its outcome is irrelevant.
      call.cancel();
    }
  } catch (fault) {
    throw asAppError(fault, connection.name);
  }
}

const rawEvent = (recorded: ReadResp.ReadEvent.RecordedEvent): LoggedEvent => {
  const properties = recorded.getMetadataMap();
  return {
    stream: Buffer.from(recorded.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8'),
    revision: BigInt(recorded.getStreamRevision()),
    position: BigInt(recorded.getCommitPosition()),
    id: recorded.getId()?.getString() ?? '',
    type: properties.get('type') ?? '',
    contentType: properties.get('content-type') ?? '',
    metadata: recorded.getCustomMetadata_asU8(),
    data: recorded.getData_asU8(),
  };
};
