import { Interrupted } from './output/report-error.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Handles signals that stop the command; a second signal ends the process immediately. */
export class Interruption {
  private isAsked = false;
  private reject: (reason: Interrupted) => void = () => {};
  /** Rejects with {@link Interrupted}; never resolves. */
  readonly happened = new Promise<never>((_, reject) => {
    this.reject = reject;
  });

  constructor() {
    this.happened.catch(() => {}); // Listeners are optional.
    for (const signal of SIGNALS) process.on(signal, this.stop);
  }

  throwIfAsked(): void {
    if (this.isAsked) throw new Interrupted();
  }

  forget(): void {
    for (const signal of SIGNALS) process.off(signal, this.stop);
  }

  private readonly stop = (): void => {
    // The embedded servers notice the exit and stop.
    if (this.isAsked) process.exit(130);
    this.isAsked = true;
    this.reject(new Interrupted());
  };
}
