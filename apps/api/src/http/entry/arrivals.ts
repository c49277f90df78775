import { AppError } from '@app/kernel';
import { InvalidRequest } from '../problems.js';

/** How long bodies may take to arrive, in milliseconds. */
export type BodyTimeouts = {
  /** The longest pause within a body. */
  readonly idleMs: number;
  /** A whole body that is held. */
  readonly wholeMs: number;
};

/** The longest pause within a body once the service is stopping, in milliseconds. */
const IDLE_WHILE_STOPPING_MS = 1_000;

/** The bodies that are arriving; each is cut where it pauses too long or takes too long. */
export class Arrivals {
  private readonly waiting = new Set<() => void>();
  private idleMs: number;

  constructor(private readonly timeouts: BodyTimeouts) {
    this.idleMs = timeouts.idleMs;
  }

  /**
   * The pieces of a body of any length.
   *
   * @throws {AppError} `request-timeout` where it pauses too long; `invalid-request` where its sender breaks it off.
   */
  pieces(body: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
    return this.until(body, Number.POSITIVE_INFINITY);
  }

  /** The pieces of a body that is held as a whole. @throws {AppError} as {@link pieces}, and where all takes too long. */
  held(body: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
    return this.until(body, performance.now() + this.timeouts.wholeMs);
  }

  /** Shortens the pauses that bodies may make: a half-sent one does not hold up the end of the process. */
  hurry(): void {
    this.idleMs = Math.min(this.idleMs, IDLE_WHILE_STOPPING_MS);
    for (const hasten of this.waiting) hasten();
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
      const hasten = (): void => {
        clearTimeout(timer);
        timer = wait();
      };
      const settle = (answer: () => void): void => {
        clearTimeout(timer);
        this.waiting.delete(hasten);
        answer();
      };
      let timer = wait();
      this.waiting.add(hasten);
      arriving.then(
        (value) => settle(() => resolve(value)),
        () =>
          settle(() =>
            reject(new InvalidRequest([{ at: 'body', problem: 'it ends too early: send it whole' }])),
          ),
      );
    });
  }
}
