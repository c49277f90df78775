import { Interrupted } from './output/report-error.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Hears the user or the system ask the command to stop. Who asks a second time gets his way at once. */
export class Interruption {
  private isAsked = false;
  private reject: (reason: Interrupted) => void = () => {};
  /** Rejects with {@link Interrupted}; never resolves. */
  readonly happened = new Promise<never>((_, reject) => {
    this.reject = reject;
  });

  constructor() {
    this.happened.catch(() => {}); // Whoever is interested listens; nobody has to.
    for (const signal of SIGNALS) process.on(signal, this.stop);
  }

  throwIfAsked(): void {
    if (this.isAsked) throw new Interrupted();
  }

  forget(): void {
    for (const signal of SIGNALS) process.off(signal, this.stop);
  }

  private readonly stop = (): void => {
    // The servers see that we are gone, and stop by themselves.
    if (this.isAsked) process.exit(130);
    this.isAsked = true;
    this.reject(new Interrupted());
  };
}
