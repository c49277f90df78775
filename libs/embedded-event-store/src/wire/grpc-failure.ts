import { AppError, type ErrorCode } from '@app/kernel';
import { Metadata, status } from '@grpc/grpc-js';

/** The failure of a call, which the client's error classes are made from. */
export class GrpcFailure extends Error {
  override readonly name = 'GrpcFailure';
  readonly metadata = new Metadata();

  /** `trailers`: `exception` names the client's error class, the others are its fields. */
  constructor(
    readonly code: status,
    readonly details: string,
    trailers: Readonly<Record<string, string>> = {},
  ) {
    super(details);
    for (const [key, value] of Object.entries(trailers)) this.metadata.set(key, headerSafe(value));
  }
}

export const invalidArgument = (details: string): GrpcFailure =>
  new GrpcFailure(status.INVALID_ARGUMENT, details);

/** Ends a read when the server stops. */
export const readingStopped = (): GrpcFailure => new GrpcFailure(status.CANCELLED, STOPPING);

/** Ends a write when the server stops: a client would take CANCELLED for its own cancellation. */
export const writingStopped = (): GrpcFailure => new GrpcFailure(status.UNAVAILABLE, STOPPING);

const STOPPING = 'the event store is shutting down';

export const streamDeleted = (stream: string): GrpcFailure =>
  new GrpcFailure(status.FAILED_PRECONDITION, `the stream ${stream} is deleted`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

export const appendTooLarge = (appendSizeMax: number): GrpcFailure =>
  new GrpcFailure(
    status.INVALID_ARGUMENT,
    `an append may have at most ${appendSizeMax} bytes of data and metadata`,
    {
      exception: 'maximum-append-size-exceeded',
      'maximum-append-size': String(appendSizeMax),
    },
  );

/** Maps any fault to the failure of a call; unexpected ones to INTERNAL. */
export const asFailure = (fault: unknown): GrpcFailure => {
  if (fault instanceof GrpcFailure) return fault;
  if (fault instanceof AppError)
    return new GrpcFailure(STATUS_OF[fault.code] ?? status.INTERNAL, fault.message);
  return new GrpcFailure(status.INTERNAL, fault instanceof Error ? fault.message : String(fault));
};

const STATUS_OF: Partial<Record<ErrorCode, status>> = {
  'invalid-id': status.INVALID_ARGUMENT,
  'disk-full': status.RESOURCE_EXHAUSTED,
  'event-store-unavailable': status.UNAVAILABLE,
  'corrupt-event': status.DATA_LOSS,
};

/** Percent-encodes characters that trailers, which are ASCII, cannot contain. */
const headerSafe = (value: string): string => value.replace(/[^\x20-\x7e]+/gu, encodeURIComponent);
