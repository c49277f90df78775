import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** `process.mjs`, bundled by `scripts/shell.mjs`. */
const PROGRAM = fileURLToPath(new URL('../../../dist/shell/process.js', import.meta.url));

export type CliResult = { readonly exitCode: number; readonly stdout: string; readonly stderr: string };
type Order = 'open' | 'close' | 'run';
type Answer = { readonly result?: CliResult; readonly error?: string };

/**
 * The command line in one process that runs command after command. A command in its own process takes two seconds of
 * CPU time, mostly to load the program and start its servers; here it takes a tenth. Tests about the process itself
 * (signals, exit, start on a folder) use separate processes.
 */
export class Shell {
  private readonly child: ChildProcess;
  private last: Promise<unknown> = Promise.resolve();

  constructor() {
    const own = Object.entries(process.env).filter(([name]) => !/^(PALIMPSEST_|NODE_OPTIONS$)/.test(name));
    this.child = fork(PROGRAM, { env: Object.fromEntries(own), execArgv: [] });
    this.child.on('error', () => {}); // Pending calls fail then.
  }

  /** Runs one command after the pending ones. A non-zero exit code is an ordinary result. */
  async run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliResult> {
    const { result } = await this.ask('run', { args, env });
    if (result) return result;
    throw new Error(`palimpsest ${args.slice(0, 2).join(' ')} ended without a result`);
  }

  /** Runs `work` with a shell on the servers of a data folder, and stops them afterwards. */
  static async on<Result>(data: string, work: (shell: Shell) => Promise<Result>): Promise<Result> {
    const shell = new Shell();
    try {
      await shell.open(data);
      return await work(shell);
    } finally {
      await shell.end();
    }
  }

  /** Starts the servers of a data folder, for all commands until `close`. */
  async open(data: string): Promise<void> {
    await this.ask('open', data);
  }

  /** Stops the servers gracefully; commands then start their own. */
  async close(): Promise<void> {
    await this.ask('close');
  }

  /** Resolves once the process and its servers have exited. */
  async end(): Promise<void> {
    if (!this.child.connected) return;
    await this.close();
    const gone = once(this.child, 'exit');
    this.child.disconnect();
    await gone;
  }

  private ask(order: Order, given?: unknown): Promise<Answer> {
    const answered = this.last.then(() => this.exchange(order, given));
    this.last = answered.catch(() => {});
    return answered;
  }

  private exchange(order: Order, given: unknown): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const settle = (finish: () => void): void => {
        this.child.off('message', hear).off('exit', leave);
        finish();
      };
      const hear = (answer: Answer): void =>
        settle(() => (answer.error === undefined ? resolve(answer) : reject(new Error(answer.error))));
      const leave = (): void => settle(() => reject(new Error('the shell has ended')));
      this.child.on('message', hear).on('exit', leave);
      this.child.send({ order, given }, (error) => error && leave());
    });
  }
}
