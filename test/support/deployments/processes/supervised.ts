import { lastingPort } from './lasting-port.js';
import { type LogLine, type Program, ServiceProcess, type Settings } from './service-process.js';

/** A program that has exited unexpectedly more often has a fault that a restart does not mend. */
const EXITS_MAX = 20;

export type SupervisedOptions = {
  readonly program: Program;
  readonly settings: Settings;
  readonly flags?: readonly string[];
  /** The setting for its port, at which each of its processes listens. */
  readonly port: string;
};

/** A program that is started again whenever it has ended, as an orchestrator does. */
export class Supervised {
  /** Unexpected exits: exit code and last log lines. */
  readonly unexpectedExits: string[] = [];
  private readonly earlier: LogLine[] = [];
  /** The newest of its processes. */
  process: ServiceProcess;
  private up = new Up();
  private isWanted = true;
  private isKilled = false;
  /** Over when the next one may be started. */
  private pause = Promise.resolve();

  private constructor(private readonly options: SupervisedOptions) {
    const { program, settings, flags } = options;
    this.process = ServiceProcess.start(program, settings, flags);
    void this.watch();
  }

  static async start({ settings, port, ...options }: SupervisedOptions): Promise<Supervised> {
    return new Supervised({
      ...options,
      port,
      settings: { ...settings, [port]: String(await lastingPort()) },
    });
  }

  /** Log lines of all its processes, oldest first. */
  get lines(): readonly LogLine[] {
    return [...this.earlier, ...this.process.lines];
  }

  /** Where it listens, once it is ready; rejects where it ends again and again. */
  url(): Promise<string> {
    return this.up.promise;
  }

  /** Kills it as a crash does, starts the next one after `meanwhile`, and resolves when that is ready. */
  async kill(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    this.isKilled = true;
    this.up = this.up.next();
    let letGo = (): void => {};
    this.pause = new Promise((resolve) => {
      letGo = resolve;
    });
    await this.process.end('SIGKILL');
    try {
      await meanwhile();
    } finally {
      letGo();
    }
    await this.url();
  }

  /** Stalls it, or lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.process.signal(signal);
  }

  /** Ends it in good order; resolves with its exit code. */
  end(): Promise<number | null> {
    this.isWanted = false;
    return this.process.end();
  }

  private async watch(): Promise<void> {
    const { program, settings, flags } = this.options;
    for (;;) {
      const url = await this.process.url().catch(() => undefined);
      if (url !== undefined && !this.isKilled) this.up.is(url);
      const code = await this.process.ended;
      if (!this.isWanted) return this.up.never(`${program} has been ended`);
      if (!this.isKilled) {
        this.unexpectedExits.push(
          `${program} exited with ${code} after ${JSON.stringify(this.process.lines.slice(-5))}`,
        );
      }
      this.isKilled = false;
      await this.pause;
      if (this.unexpectedExits.length > EXITS_MAX)
        return this.up.never(`${program} ends with ${code} again and again`);
      this.up = this.up.next();
      this.earlier.push(...this.process.lines);
      this.process = ServiceProcess.start(program, settings, flags);
    }
  }
}

/** The moment from which on a program can be reached. */
class Up {
  is: (url: string) => void = () => {};
  private fail: (error: Error) => void = () => {};
  private isOver = false;
  readonly promise = new Promise<string>((resolve, reject) => {
    this.is = (url) => {
      this.isOver = true;
      resolve(url);
    };
    this.fail = reject;
  });

  constructor() {
    this.promise.catch(() => {}); // Its callers get the rejection, if any waits.
  }

  /** The same one as long as it has not come. */
  next(): Up {
    return this.isOver ? new Up() : this;
  }

  never(why: string): void {
    this.fail(new Error(why));
  }
}
