import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import { inSlices, type Steps } from '../../steps.js';
import type { Store } from '../../store.js';
import type { BatchOptions, BatchRequest } from '../../wire/batch-request.js';
import { asFailure, GrpcFailure, invalidArgument, writingStopped } from '../../wire/grpc-failure.js';
import { Outlet } from '../../wire/outlet.js';
import { targetStreamOf } from '../../wire/values.js';
import { type BatchTarget, batchReplies } from './batch-replies.js';
import { expectedRevisionOf, Proposals } from './proposals.js';

/** The maximum number of unanswered appends per call; beyond it the call is paused. */
const IN_FLIGHT_MAX = 2_000;
/** The number of events of a request that are read without yielding: about a millisecond. */
const ADDED_AT_ONCE = 200;
/** The longest time to wait for the rest of an append, for any deadline. Milliseconds. */
const FRAGMENTS_WAIT_MAX = 2 ** 31 - 1;

/** The maximum size of a call's unfinished appends. */
const UNFINISHED_BYTES_MAX = 64 * 2 ** 20;

/** An append without its last fragment. `refused`: it was answered, and further fragments are ignored. */
type Pending = {
  readonly target: BatchTarget;
  readonly deadline: number | undefined;
  readonly proposals: Proposals;
  readonly timer: NodeJS.Timeout | undefined;
  refused: boolean;
};

/** `BatchAppend`: many appends in one call, each in fragments, each answered by its correlation id. */
export const batchAppend = (store: Store, call: ServerDuplexStream<BatchRequest, Buffer>): void => {
  const outlet = new Outlet(call);
  outlet.onEnd(store.calls.whenStopping(() => outlet.fail(writingStopped())));
  new BatchCall(store, call, outlet).start();
};

class BatchCall {
  readonly #pending = new Map<string, Pending>();
  #inFlight = 0;
  /** Set while a large request is read. */
  #isReading = false;
  #clientEnded = false;

  constructor(
    private readonly store: Store,
    private readonly call: ServerDuplexStream<BatchRequest, Buffer>,
    private readonly outlet: Outlet,
  ) {}

  start(): void {
    this.call.on('data', (request: BatchRequest) => this.#receive(request));
    this.call.on('end', () => {
      this.#clientEnded = true;
      this.#endIfDone();
    });
    this.outlet.onEnd(() => {
      for (const { timer } of this.#pending.values()) clearTimeout(timer);
      this.#pending.clear();
    });
  }

  #receive(request: BatchRequest): void {
    const { correlation } = request;
    // Without a correlation id the answer cannot be assigned: fails the whole call.
    if (!correlation) {
      this.outlet.fail(invalidArgument('an append needs a correlation id'));
      return;
    }
    const key = correlation.toString('latin1');
    const pending = this.#pending.get(key) ?? this.#open(key, correlation, request);
    if (request.messages.length <= ADDED_AT_ONCE) {
      for (const _ of this.#add(pending, request));
      this.#added(key, pending, request);
      return;
    }
    // Yields to other calls while a large request is read; later requests of this call wait.
    this.#isReading = true;
    this.call.pause();
    void inSlices(this.#add(pending, request)).then(() => {
      this.#isReading = false;
      this.#added(key, pending, request);
      this.#readOn();
    });
  }

  *#add(pending: Pending, { messages }: BatchRequest): Steps<void> {
    try {
      for (const message of messages) {
        if (pending.refused) return;
        pending.proposals.add(message);
        yield;
      }
    } catch (fault) {
      this.#refuse(pending, batchReplies.failure(pending.target, asFailure(fault)));
    }
  }

  #added(key: string, pending: Pending, request: BatchRequest): void {
    if (!request.isFinal) {
      this.#boundUnfinished(pending);
      return;
    }
    clearTimeout(pending.timer);
    this.#pending.delete(key);
    if (!pending.refused) void this.#append(pending);
    else this.#endIfDone();
  }

  /** Bounds the memory of a client that begins appends without ending them. */
  #boundUnfinished(newest: Pending): void {
    let held = 0;
    for (const { proposals } of this.#pending.values()) held += proposals.bytes;
    if (held <= Math.max(UNFINISHED_BYTES_MAX, this.store.appendSizeMax)) return;
    this.#refuse(newest, batchReplies.failure(newest.target, tooMuchUnfinished()));
  }

  #open(key: string, correlation: Uint8Array, request: BatchRequest): Pending {
    const proposals = new Proposals(this.store.appendSizeMax);
    const pending = this.#opened(correlation, request, proposals, key);
    this.#pending.set(key, pending);
    return pending;
  }

  #opened(correlation: Uint8Array, request: BatchRequest, proposals: Proposals, key: string): Pending {
    try {
      const { options } = request;
      const deadline = options?.deadline;
      const target = { correlation, ...targetOf(options) };
      // Most appends are a single message, without a rest to wait for.
      const timer = request.isFinal ? undefined : this.#watch(key, deadline);
      return { target, deadline, proposals, timer, refused: false };
    } catch (fault) {
      const target: BatchTarget = { correlation, stream: '', expected: { kind: 'any' } };
      const pending: Pending = { target, deadline: undefined, proposals, timer: undefined, refused: false };
      this.#refuse(pending, batchReplies.failure(target, asFailure(fault)));
      return pending;
    }
  }

  /** Starts the timer of an append whose fragments must arrive before its deadline. */
  #watch(key: string, deadline: number | undefined): NodeJS.Timeout | undefined {
    if (deadline === undefined) return undefined;
    const wait = Math.min(Math.max(deadline - Date.now(), 0), FRAGMENTS_WAIT_MAX);
    return setTimeout(() => {
      const pending = this.#pending.get(key);
      if (pending) this.#refuse(pending, batchReplies.timeout(pending.target));
    }, wait);
  }

  #refuse(pending: Pending, reply: Buffer): void {
    if (pending.refused) return;
    pending.refused = true;
    pending.proposals.clear();
    this.outlet.send(reply);
  }

  async #append({ target, deadline, proposals }: Pending): Promise<void> {
    this.#inFlight += 1;
    if (this.#inFlight >= IN_FLIGHT_MAX) this.call.pause();
    await this.outlet.write(await this.#outcome(target, deadline, proposals));
    this.#inFlight -= 1;
    this.#readOn();
    this.#endIfDone();
  }

  async #outcome(target: BatchTarget, deadline: number | undefined, { events }: Proposals): Promise<Buffer> {
    try {
      const { stream, expected } = target;
      this.store.access.demand(this.call, 'write', stream);
      const outcome = await this.store.log.append({
        stream,
        expected,
        events,
        ...(deadline === undefined ? {} : { deadline }),
      });
      switch (outcome.kind) {
        case 'appended':
          return batchReplies.success(target, outcome.last, outcome.position);
        case 'conflict':
          return batchReplies.conflict(target, outcome.last);
        case 'deleted':
          return batchReplies.deleted(target);
        case 'timeout':
          return batchReplies.timeout(target);
      }
    } catch (fault) {
      return batchReplies.failure(target, asFailure(fault));
    }
  }

  #readOn(): void {
    if (!this.#isReading && this.#inFlight < IN_FLIGHT_MAX / 2 && this.call.isPaused()) this.call.resume();
  }

  #endIfDone(): void {
    if (this.#clientEnded && this.#inFlight === 0) this.outlet.end();
  }
}

const targetOf = (options: BatchOptions | undefined): Pick<BatchTarget, 'stream' | 'expected'> => {
  if (!options) throw invalidArgument('the first fragment of an append must contain options');
  const expected = expectedRevisionOf(options, options.streamPosition);
  if (!expected) throw invalidArgument('an append needs an expected revision');
  return { stream: targetStreamOf(options.streamIdentifier), expected };
};

const tooMuchUnfinished = (): GrpcFailure =>
  new GrpcFailure(
    status.RESOURCE_EXHAUSTED,
    `the unfinished appends of one call must not exceed ${UNFINISHED_BYTES_MAX} bytes: finish some of them first`,
  );
