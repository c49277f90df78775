import { randomUUID } from 'node:crypto';
import type { ExpectedRevision } from '@app/ports';
import { type EventStoreDBClient, UnavailableError, UnknownError } from '@eventstore/db-client';
import { unpackToCommandError } from '@eventstore/db-client/dist/streams/appendToStream/unpackError.js';
import { convertToCommandError } from '@eventstore/db-client/dist/utils/CommandError.js';
import streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import { Client, type ClientDuplexStream } from '@grpc/grpc-js';
import { decodeAppendAnswer } from './append-answer.js';
import { type Encoded, encodeAppend } from './append-request.js';
import { type Internals, internalsOf } from './internals.js';

type Call = ClientDuplexStream<Buffer, Buffer>;
type Waiting = {
  readonly call: Call;
  readonly settle: (revision: bigint) => void;
  readonly fail: (error: unknown) => void;
};

const { batchAppend } = streamsGrpc.StreamsService;
const asIs = (bytes: Buffer): Buffer => bytes;

/** Appends of one client, all in one call for each connection, encoded by this module. */
export class Appends {
  private readonly internals: Internals;
  private readonly waiting = new Map<string, Waiting>();
  private readonly open: () => Promise<Call>;
  /** Calls that take no more appends: the client replaces a broken one in a later turn of the event loop. */
  private readonly ended = new WeakSet<Call>();

  constructor(client: EventStoreDBClient) {
    this.internals = internalsOf(client);
    this.open = this.internals.GRPCStreamCreator(
      Client,
      'appendToStream',
      (stub) => this.begin(stub),
      new WeakMap(),
    );
  }

  /**
   * Appends events in one message, and returns the revision of the last.
   *
   * @param within milliseconds after which the server rejects the append.
   * @throws errors of the client.
   */
  async append(
    stream: string,
    events: readonly Encoded[],
    expected: ExpectedRevision,
    within: number,
  ): Promise<bigint> {
    const call = await this.open();
    if (this.ended.has(call)) throw new UnavailableError(undefined, 'the connection has just ended');
    const correlation = randomUUID();
    const deadline = Date.now() + within;
    return new Promise((settle, fail) => {
      this.waiting.set(correlation, { call, settle, fail });
      call.write(encodeAppend({ correlation, stream, expected, events, deadline }));
    });
  }

  private begin(stub: Client): Call {
    const [metadata, options] = this.internals.callArguments({}, { deadline: Number.POSITIVE_INFINITY });
    const call = stub.makeBidiStreamRequest(batchAppend.path, asIs, asIs, metadata, options);
    return call
      .on('data', (answer: Buffer) => this.receive(call, answer))
      .on('error', (error) => this.failAll(call, convertToCommandError(error)))
      .on('end', () => {
        this.failAll(call, new UnavailableError(undefined, 'the server ended the call'));
        call.end(); // Without it the client keeps the call.
      });
  }

  private receive(call: Call, bytes: Buffer): void {
    try {
      const { correlation, revision, isFailure } = decodeAppendAnswer(bytes);
      const waiting = this.waiting.get(correlation);
      this.waiting.delete(correlation);
      if (isFailure) waiting?.fail(failureIn(bytes));
      else waiting?.settle(revision);
    } catch (error) {
      // The answer cannot be assigned to one append.
      this.failAll(call, new UnavailableError(undefined, `the server's answer is malformed: ${error}`));
      call.cancel();
    }
  }

  /** An append on another connection of the client may still succeed. */
  private failAll(failed: Call, error: Error): void {
    this.ended.add(failed);
    for (const [correlation, { call, fail }] of this.waiting) {
      if (call !== failed) continue;
      this.waiting.delete(correlation);
      fail(error);
    }
  }
}

const failureIn = (bytes: Buffer): Error => {
  const answer = streamsPb.BatchAppendResp.deserializeBinary(bytes);
  const stream = Buffer.from(answer.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
  const status = answer.getError();
  const details = status?.getDetails()?.getTypeName();
  if (!status || !details) return new UnknownError(undefined, `an append failed: ${status?.getMessage()}`);
  // A node that is starting, too busy or without a leader: the client takes its status for an unknown failure.
  if (details === 'google.protobuf.Empty' && status.getCode() === 0)
    return new UnavailableError(undefined, status.getMessage());
  return unpackToCommandError(status, stream);
};
