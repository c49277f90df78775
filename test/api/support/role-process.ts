import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAMS = {
  api: fileURLToPath(new URL('../../../dist/programs/api.js', import.meta.url)),
  worker: fileURLToPath(new URL('../../../dist/programs/worker.js', import.meta.url)),
};

export type LogLine = { readonly level: string; readonly event?: string; readonly url?: string } & Readonly<
  Record<string, unknown>
>;

/** A process of Palimpsest with these settings alone, and everything that it says. */
export class RoleProcess {
  /** For people. */
  stdout = '';
  readonly lines: LogLine[] = [];
  readonly ended: Promise<number | null>;
  private said: () => void = () => {};
  private rest = '';

  private constructor(private readonly child: ChildProcess) {
    this.ended = new Promise((resolve) => child.once('close', resolve));
    child.stdout?.on('data', (bytes: Buffer) => {
      this.stdout += bytes.toString();
    });
    child.stderr?.on('data', (bytes: Buffer) => this.hear(bytes.toString()));
    void this.ended.then(() => this.said());
  }

  static start(
    program: keyof typeof PROGRAMS,
    settings: Readonly<Record<string, string>>,
    flags: readonly string[] = [],
  ): RoleProcess {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...settings };
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    return new RoleProcess(
      spawn(process.execPath, [PROGRAMS[program], ...flags], { env, stdio: [...stdio] }),
    );
  }

  /** The first line that fits, as soon as it is there; rejects where the process ends without it. */
  async line(fits: (line: LogLine) => boolean): Promise<LogLine> {
    for (;;) {
      const found = this.lines.find(fits);
      if (found) return found;
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(`it ended without saying so: ${JSON.stringify(this.lines)}`);
      }
      await new Promise<void>((resolve) => {
        this.said = resolve;
      });
    }
  }

  /** Where it listens; rejects where it ends instead. */
  async url(): Promise<string> {
    return (await this.line(({ event }) => event === 'ready')).url ?? '';
  }

  async end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.ended;
  }

  private hear(text: string): void {
    const parts = `${this.rest}${text}`.split('\n');
    this.rest = parts.pop() ?? '';
    this.lines.push(...parts.filter((part) => part.startsWith('{')).map((part): LogLine => JSON.parse(part)));
    this.said();
  }
}
