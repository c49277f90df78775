/** A FIFO semaphore. Each holder is limited in time, so that a slow one does not block others. */
export class Gate {
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(
    private readonly most: number,
    private readonly waitTimeoutMs: number,
  ) {}

  /** Resolves with the release function on the caller's turn, or at once if `signal` aborts. */
  async enter(signal: AbortSignal): Promise<() => void> {
    if (this.#inside >= this.most && !signal.aborted) await this.#turn(signal);
    this.#inside += 1;
    let isInside = true;
    const leave = (): void => {
      clearTimeout(timer);
      if (!isInside) return;
      isInside = false;
      this.#inside -= 1;
      if (this.#inside < this.most) this.#waiting.shift()?.();
    };
    const timer = setTimeout(leave, this.waitTimeoutMs).unref();
    return leave;
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        resolve();
      };
      const enter = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      this.#waiting.push(enter);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}
