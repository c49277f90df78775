import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../../bin/palimpsest.mjs', import.meta.url));

/** The output of `palimpsest eventstore --json` when it is ready. */
export type Announcement = {
  readonly url: string;
  readonly port: number;
  readonly tls: boolean;
  readonly data: string;
  readonly pid: number;
  readonly generatedPasswords: Readonly<Record<string, string>>;
};

/** A server of the command line, in a child process. */
export class Serving {
  private constructor(
    private readonly child: ChildProcess,
    readonly announcement: Announcement,
    private readonly stderr: string[],
    private readonly ended: Promise<number | string | null>,
  ) {}

  /** Rejects with the process's output if it does not start. */
  static start(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Serving> {
    const env = { ...process.env, ...environment };
    const child = spawn(process.execPath, [PROGRAM, 'eventstore', ...args, '--port', '0', '--json'], { env });
    const stderr: string[] = [];
    child.stderr.on('data', (bytes: Buffer) => stderr.push(bytes.toString()));
    const ended = new Promise<number | string | null>((resolve) => {
      child.on('close', (code, signal) => resolve(code ?? signal));
    });
    return new Promise((resolve, reject) => {
      let text = '';
      child.stdout.on('data', (bytes: Buffer) => {
        text += bytes.toString();
        if (text.includes('\n')) resolve(new Serving(child, JSON.parse(text), stderr, ended));
      });
      void ended.then((code) => reject(new Error(`it ended with ${code}: ${stderr.join('')}`)));
    });
  }

  get url(): string {
    return this.announcement.url;
  }

  /** The lines of its log. */
  get log(): readonly Readonly<Record<string, unknown>>[] {
    return this.stderr
      .join('')
      .split('\n')
      .filter(Boolean)
      .map((line): Readonly<Record<string, unknown>> => JSON.parse(line));
  }

  /** Resolves with its exit code, or the signal that ended it. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string | null> {
    this.child.kill(signal);
    return this.ended;
  }
}
