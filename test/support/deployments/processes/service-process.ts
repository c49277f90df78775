import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The programs of the service. */
export type Program = 'api' | 'worker';
export type Settings = Readonly<Record<string, string>>;

export type LogLine = { readonly level: string; readonly event?: string; readonly url?: string } & Readonly<
  Record<string, unknown>
>;

/** A process of Palimpsest with these settings alone, and everything that it says. */
export class ServiceProcess {
  /** For people. */
  stdout = '';
  readonly lines: LogLine[] = [];
  /** Its exit code; `null` where a signal ended it. */
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

  static start(program: Program, settings: Settings, flags: readonly string[] = []): ServiceProcess {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...settings };
    const args = [programFile(program), ...flags];
    return new ServiceProcess(spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** The first line that fits, as soon as it is there; rejects where the process ends without it. */
  async line(fits: (line: LogLine) => boolean): Promise<LogLine> {
    for (;;) {
      const found = this.lines.find(fits);
      if (found) return found;
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(`it ended without saying so: ${JSON.stringify(this.lines.slice(-20))}`);
      }
      await new Promise<void>((resolve) => {
        this.said = resolve;
      });
    }
  }

  /** Where it listens, once it is ready; rejects where it ends instead. */
  async url(): Promise<string> {
    return (await this.line(({ event }) => event === 'ready')).url ?? '';
  }

  /** Stalls it, or lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(signal);
  }

  /** Resolves with its exit code when it is gone. */
  end(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
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

/** Compiled, also where this file runs from its source under a test runner: node starts no TypeScript. */
const programFile = (program: Program): string => {
  const place = `programs/${program}.js`;
  const root = new URL('../../../../', import.meta.url);
  const besides = fileURLToPath(new URL(place, root));
  return existsSync(besides) ? besides : fileURLToPath(new URL(`dist/${place}`, root));
};
