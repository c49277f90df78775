import { setTimeout as pause } from 'node:timers/promises';
import { AppError, type ErrorCode } from '@app/kernel';

export type FailOpenParts = {
  /** Milliseconds after which a log or database that does not answer counts as unavailable. */
  readonly afterMs: number;
  /** Asks each of them for an answer. */
  readonly probes: readonly { readonly code: ErrorCode; readonly ask: () => Promise<unknown> }[];
  /** Called with the first error of an outage. */
  readonly onProblem: (error: unknown) => void;
  /** Called for each request that is sent unchanged, unrecorded and without a bill. */
  readonly onUnrecorded: (outage: ErrorCode) => void;
};

/** Errors of a log or database that is unavailable, as opposed to errors of the request. */
const OUTAGES: ReadonlySet<ErrorCode> = new Set([
  'event-store-unavailable',
  'postgres-unavailable',
  'disk-full',
]);

/** Returns the code of an outage; `internal` for a defect, `undefined` for an error of the request. */
const outageOf = (error: unknown): ErrorCode | undefined => {
  if (!(error instanceof AppError)) return 'internal';
  return OUTAGES.has(error.code) ? error.code : undefined;
};

/** A request on its way to the provider: it is sent as recorded, or else unchanged, but not both. */
export class Departure {
  readonly #sent = new AbortController();
  readonly #abandoned = new AbortController();

  /** Aborts when the request is sent, or will not be. */
  get whenSent(): AbortSignal {
    return this.#sent.signal;
  }

  /** Aborts when the request is sent unchanged instead. */
  get whenAbandoned(): AbortSignal {
    return this.#abandoned.signal;
  }

  /** To be called before the request is sent. Throws if it has been sent unchanged. */
  send(): void {
    this.#abandoned.signal.throwIfAborted();
    this.#sent.abort();
  }

  abandon(): void {
    this.#abandoned.abort();
  }
}

/**
 * Forwards requests to the provider unchanged while the log or the database is unavailable or does not answer. A slow
 * request alone is no outage: it may wait for a compaction.
 */
export class FailOpen {
  #outage: ErrorCode | undefined;

  constructor(private readonly parts: FailOpenParts) {}

  /**
   * Runs `recorded`, or `unchanged` with the code of the outage that has prevented it.
   *
   * @throws the error of `recorded` for errors of the request, and for any error once the request is sent.
   */
  async attempt<Answer>(
    recorded: (departure: Departure) => Promise<Answer>,
    unchanged: (outage: ErrorCode) => Promise<Answer>,
  ): Promise<Answer> {
    const unrecorded = (outage: ErrorCode): Promise<Answer> => {
      this.parts.onUnrecorded(outage);
      return unchanged(outage);
    };
    if (this.#outage !== undefined) return unrecorded(this.#outage);
    const departure = new Departure();
    const ended = new AbortController();
    const work = settled(recorded(departure));
    const stop = AbortSignal.any([departure.whenSent, ended.signal]);
    const outcome = (await Promise.race([work, this.outageUntil(stop)])) ?? (await work);
    ended.abort();
    if ('answer' in outcome) return outcome.answer;
    const code = outageOf(outcome.error);
    if (code === undefined || departure.whenSent.aborted) throw outcome.error;
    departure.abandon();
    this.begin(code, outcome.error);
    return unrecorded(code);
  }

  /** Waits for a task as long as log and database answer. Returns whether it has ended. */
  async waitFor(task: Promise<void>): Promise<boolean> {
    const ended = new AbortController();
    const outage = await Promise.race([task.then(() => undefined), this.outageUntil(ended.signal)]);
    ended.abort();
    return outage === undefined;
  }

  /** Returns the error of an outage; `undefined` once `stop` aborts. */
  private async outageUntil(stop: AbortSignal): Promise<{ readonly error: unknown } | undefined> {
    for (;;) {
      await pause(this.parts.afterMs, undefined, { signal: stop }).catch(() => undefined);
      if (stop.aborted) return undefined;
      const error = await this.probe();
      if (stop.aborted) return undefined;
      if (error) return { error };
    }
  }

  /** Returns the error of the first server that fails or does not answer in time. */
  private async probe(): Promise<unknown> {
    const { probes, afterMs } = this.parts;
    const answers = probes.map(async ({ code, ask }) => {
      const late = new AbortController();
      const silence = pause(afterMs, 'silent', { signal: late.signal }).catch(() => undefined);
      try {
        if ((await Promise.race([ask().then(() => undefined), silence])) !== 'silent') return undefined;
        return new AppError(code, `no answer within ${afterMs} ms`);
      } catch (error) {
        return error;
      } finally {
        late.abort();
      }
    });
    return (await Promise.all(answers)).find((error) => error !== undefined);
  }

  /** Reports an outage once, and ends it when log and database answer again. */
  private begin(code: ErrorCode, error: unknown): void {
    if (this.#outage !== undefined) return;
    this.parts.onProblem(error);
    if (!OUTAGES.has(code)) return;
    this.#outage = code;
    void this.endOfOutage();
  }

  private async endOfOutage(): Promise<void> {
    while (await this.probe()) await pause(this.parts.afterMs, undefined, { ref: false });
    this.#outage = undefined;
  }
}

type Outcome<Answer> = { readonly answer: Answer } | { readonly error: unknown };

const settled = <Answer>(work: Promise<Answer>): Promise<Outcome<Answer>> =>
  work.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
