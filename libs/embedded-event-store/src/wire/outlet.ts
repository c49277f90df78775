import type { ServerDuplexStream, ServerWritableStream } from '@grpc/grpc-js';
import type { GrpcFailure } from './grpc-failure.js';

type OutgoingCall = ServerWritableStream<unknown, Buffer> | ServerDuplexStream<unknown, Buffer>;

/** The backlog of a call above which writers wait. Node would count messages, sixteen of which may have any size. */
const BUFFERED_BYTES_MAX = 128 * 1024;

/**
 * The outgoing side of a streaming call. Buffers a bounded number of bytes and one message more: writers wait for the
 * reader, so that a slow reader costs time instead of memory.
 */
export class Outlet {
  readonly #whenEnded: (() => void)[] = [];
  #open = true;
  #buffered = 0;
  #whenDrained: (() => void)[] = [];

  constructor(private readonly call: OutgoingCall) {
    const close = (): void => {
      if (!this.#open) return;
      this.#open = false;
      this.#wakeWriters();
      for (const ended of this.#whenEnded.splice(0)) ended();
    };
    call.on('cancelled', close);
    call.on('close', close);
    call.on('finish', close);
    call.on('error', close);
  }

  /** False once either side has ended the call; further writes are discarded. */
  get open(): boolean {
    return this.#open && !this.call.cancelled;
  }

  /** Calls `ended` once when the call is over, at once if it is. */
  onEnd(ended: () => void): void {
    if (this.open) this.#whenEnded.push(ended);
    else ended();
  }

  /** Sends a message without waiting; returns true if there is room for another one. */
  send(message: Buffer): boolean {
    if (!this.open) return true;
    this.#buffered += message.length;
    this.call.write(message, () => {
      this.#buffered -= message.length;
      if (this.#buffered < BUFFERED_BYTES_MAX / 2) this.#wakeWriters();
    });
    return this.#buffered < BUFFERED_BYTES_MAX;
  }

  /** Sends a message, and waits until there is room for another one. */
  async write(message: Buffer): Promise<void> {
    if (!this.send(message)) await this.drained();
  }

  /** Resolves when there is room again, or the call has ended. */
  async drained(): Promise<void> {
    if (!this.open) return;
    await new Promise<void>((resolve) => {
      this.#whenDrained.push(resolve);
    });
  }

  #wakeWriters(): void {
    for (const wake of this.#whenDrained.splice(0)) wake();
  }

  end(): void {
    if (this.open) this.call.end();
  }

  fail(failure: GrpcFailure): void {
    if (this.open) this.call.emit('error', failure);
  }
}
