import { AppError, type ErrorCode } from '@app/kernel';
import { Metadata, status } from '@grpc/grpc-js';

/** How a call ends when it fails: what the client's error classes are made from. */
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

/** How a stop ends those who read … */
export const readingStopped = (): GrpcFailure => new GrpcFailure(status.CANCELLED, STOPPING);

/** … and those who write: a client that hears CANCELLED there would take it for its own doing. */
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

/** Any fault as the end of a call. What is not foreseen is INTERNAL. */
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

/** Trailers are ASCII: anything else is percent-encoded. */
const headerSafe = (value: string): string => value.replace(/[^\x20-\x7e]+/gu, encodeURIComponent);
