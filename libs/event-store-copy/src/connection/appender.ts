import { randomUUID } from 'node:crypto';
import { AppError } from '@app/kernel';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type {
  BatchAppendResp,
  BatchAppendReq as Request,
} from '@eventstore/db-client/generated/streams_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { type ClientDuplexStream, status } from '@grpc/grpc-js';
import emptyPb from 'google-protobuf/google/protobuf/empty_pb.js';
import timestampPb from 'google-protobuf/google/protobuf/timestamp_pb.js';
import type { RawEvent } from '../events/raw-event.js';
import type { Connection } from './connection.js';
import { asAppError } from './failures.js';

const { BatchAppendReq } = streamsPb;
const { StreamIdentifier, UUID } = sharedPb;

/** The deadline of an append on the server. Milliseconds. */
const DEADLINE_MS = 600_000;

type Waiting = { readonly settle: () => void; readonly fail: (fault: AppError) => void };

/** Pipelined appends in one call, in order. */
export class Appender {
  readonly #waiting = new Map<string, Waiting>();
  #fault: AppError | undefined;

  private constructor(
    private readonly server: string,
    private readonly call: ClientDuplexStream<Request, BatchAppendResp>,
  ) {
    call.on('data', (reply: BatchAppendResp) => this.#receive(reply));
    call.on('error', (fault) => this.#failAll(asAppError(fault, server)));
    call.on('end', () => this.#failAll(asAppError(undefined, server)));
  }

  static async open(connection: Connection): Promise<Appender> {
    const call = await connection.call((stub, metadata, options) => stub.batchAppend(metadata, options));
    return new Appender(connection.name, call);
  }

  /**
   * Appends after the revision `after`, -1 for a missing stream. Resolves when the append is acknowledged.
   * @throws {AppError} `copy-diverged` if the stream is at another revision, `append-too-large`,
   * `event-store-unavailable`.
   */
  append(stream: string, after: bigint, events: readonly RawEvent[]): Promise<void> {
    return new Promise((settle, fail) => {
      if (this.#fault) return fail(this.#fault);
      const correlation = randomUUID();
      this.#waiting.set(correlation, { settle, fail });
      this.call.write(requestOf(correlation, stream, after, events));
    });
  }

  close(): void {
    this.call.end();
    this.call.cancel();
  }

  #receive(reply: BatchAppendResp): void {
    const correlation = uuidText(reply.getCorrelationId());
    const waiting = this.#waiting.get(correlation);
    this.#waiting.delete(correlation);
    const error = reply.getError();
    if (!error) {
      waiting?.settle();
      return;
    }
    const name = Buffer.from(reply.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');
    waiting?.fail(this.#refusal(name, error.getCode(), error.getDetails()?.getTypeName() ?? ''));
  }

  #refusal(stream: string, code: number, type: string): AppError {
    if (type.endsWith('.WrongExpectedVersion') || type.endsWith('.StreamDeleted'))
      return new AppError(
        'copy-diverged',
        `the stream ${stream} of the ${this.server} has another revision than the copy: another client writes to it`,
      );
    if (type.endsWith('.MaximumAppendSizeExceeded'))
      return new AppError(
        'append-too-large',
        `the ${this.server} rejects an event of the stream ${stream} as too large: raise its --max-append-size`,
      );
    return asAppError(
      { code: type.endsWith('.AccessDenied') ? status.PERMISSION_DENIED : code },
      this.server,
    );
  }

  #failAll(fault: AppError): void {
    this.#fault ??= fault;
    for (const { fail } of this.#waiting.values()) fail(this.#fault);
    this.#waiting.clear();
  }
}

const requestOf = (
  correlation: string,
  stream: string,
  after: bigint,
  events: readonly RawEvent[],
): Request => {
  const identifier = new StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream).toString('base64'));
  const options = new BatchAppendReq.Options();
  options.setStreamIdentifier(identifier);
  options.setDeadline(timestampPb.Timestamp.fromDate(new Date(Date.now() + DEADLINE_MS)));
  if (after < 0n) options.setNoStream(new emptyPb.Empty());
  else options.setStreamPosition(String(after));
  const request = new BatchAppendReq();
  request.setCorrelationId(uuid(correlation));
  request.setOptions(options);
  request.setProposedMessagesList(events.map(proposal));
  request.setIsFinal(true);
  return request;
};

const proposal = (event: RawEvent): Request.ProposedMessage => {
  const message = new BatchAppendReq.ProposedMessage();
  message.setId(uuid(event.id));
  message.getMetadataMap().set('type', event.type).set('content-type', event.contentType);
  message.setCustomMetadata(event.metadata);
  message.setData(event.data);
  return message;
};

const uuid = (text: string): InstanceType<typeof UUID> => {
  const id = new UUID();
  id.setString(text);
  return id;
};

/** A server may return the id in its other form. */
const uuidText = (id: InstanceType<typeof UUID> | undefined): string => {
  const structured = id?.getStructured();
  if (!structured) return id?.getString() ?? '';
  const half = (value: string): string => BigInt.asUintN(64, BigInt(value)).toString(16).padStart(16, '0');
  const digits = half(structured.getMostSignificantBits()) + half(structured.getLeastSignificantBits());
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
