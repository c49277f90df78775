/** Lets a few through at a time, in the order in which they came; each for a while at most, so that none who dawdles keeps others out. */
export class Gate {
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(
    private readonly most: number,
    private readonly waitTimeoutMs: number,
  ) {}

  /** Resolves with what lets the next one in, when it is one's turn; at once where `signal` aborts. */
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
