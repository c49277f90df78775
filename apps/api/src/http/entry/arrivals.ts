import { AppError } from '@app/kernel';
import { InvalidRequest } from '../problems.js';

/** Timeouts of request bodies, in milliseconds. */
export type BodyTimeouts = {
  /** The longest pause within a body. */
  readonly idleMs: number;
  /** The longest time for a whole buffered body. */
  readonly wholeMs: number;
};

/** The longest pause within a body once the service is stopping, in milliseconds. */
const IDLE_WHILE_STOPPING_MS = 1_000;

/** Reads bodies as they arrive, each within its timeouts. */
export class Arrivals {
  private readonly waiting = new Set<() => void>();
  private idleMs: number;

  constructor(private readonly timeouts: BodyTimeouts) {
    this.idleMs = timeouts.idleMs;
  }

  /**
   * Returns the pieces of a streamed body of any length.
   *
   * @throws {AppError} `request-timeout` after a pause of `idleMs`; `invalid-request` if the client breaks off the body.
   */
  pieces(body: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
    return this.until(body, Number.POSITIVE_INFINITY);
  }

  /** Returns the pieces of a buffered body. @throws {AppError} as {@link pieces}; `request-timeout` after `wholeMs`. */
  held(body: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
    return this.until(body, performance.now() + this.timeouts.wholeMs);
  }

  /** Shortens the allowed pauses, so that incomplete bodies do not delay the shutdown. */
  shortenPauses(): void {
    this.idleMs = Math.min(this.idleMs, IDLE_WHILE_STOPPING_MS);
    for (const restart of this.waiting) restart();
  }

  private async *until(body: AsyncIterator<Uint8Array>, deadline: number): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const next = await this.within(body.next(), deadline);
        if (next.done) return;
        yield next.value;
      }
    } finally {
      body.return?.()?.catch(() => undefined);
    }
  }

  private within<Value>(arriving: Promise<Value>, deadline: number): Promise<Value> {
    return new Promise((resolve, reject) => {
      const wait = () =>
        setTimeout(settle, Math.max(0, Math.min(this.idleMs, deadline - performance.now())), () =>
          reject(new AppError('request-timeout', 'the body did not arrive in time: send the request again')),
        );
      const restart = (): void => {
        clearTimeout(timer);
        timer = wait();
      };
      const settle = (answer: () => void): void => {
        clearTimeout(timer);
        this.waiting.delete(restart);
        answer();
      };
      let timer = wait();
      this.waiting.add(restart);
      arriving.then(
        (value) => settle(() => resolve(value)),
        () =>
          settle(() =>
            reject(new InvalidRequest([{ at: 'body', problem: 'it is incomplete: send the whole body' }])),
          ),
      );
    });
  }
}
