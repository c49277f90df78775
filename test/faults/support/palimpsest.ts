import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** How a command has ended, and all that it said. */
export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};
export type Running = { readonly child: ChildProcess; readonly pid: number; readonly ended: Promise<Ended> };

export type StartOptions = {
  /** Beside what the tests were started with; none of its settings of Palimpsest are handed on. */
  readonly env?: Readonly<Record<string, string>>;
  /** A program that starts the command, with its own arguments; such as one that sets limits. */
  readonly through?: readonly string[];
  /** A file for the output, where it is not to be read. */
  readonly stdout?: number;
  /** Where the program stands, with `bin` in it. */
  readonly root?: string;
};

export const ROOT = join(import.meta.dirname, '../../..');
/** No command takes this long by far: one that does waits for something that never comes. */
const HANGS_AFTER_MS = 300_000;

/** Starts `palimpsest` with the arguments, as a shell does. */
export const start = (args: readonly string[], options: StartOptions = {}): Running => {
  const { env, through = [], stdout = 'pipe', root = ROOT } = options;
  const [program = '', ...rest] = [...through, process.execPath, join(root, 'bin/palimpsest.mjs'), ...args];
  const child = spawn(program, rest, {
    // The servers are told their folder in a way that nobody sees: by this mark their processes are found.
    env: { ...strangersEnvironment(), MARK_OF_TEST: args[args.indexOf('--data') + 1] ?? '', ...env },
    stdio: ['ignore', stdout, 'pipe'],
  });
  return { child, pid: child.pid ?? 0, ended: endOf(child, args) };
};

/** Runs a command to its end. */
export const run = (args: readonly string[], options?: StartOptions): Promise<Ended> =>
  start(args, options).ended;

/** Runs a command that has to succeed without a word on stderr, and returns what it printed. */
export const output = async (args: readonly string[], options?: StartOptions): Promise<string> => {
  const { code, signal, stdout, stderr } = await run(args, options);
  if (code === 0 && stderr === '') return stdout;
  throw new Error(`palimpsest ${args.join(' ')} ended with ${signal ?? code} and said: ${stderr}`);
};

const strangersEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PALIMPSEST_|NODE_OPTIONS$|JEST_)/.test(name)),
  );

/** @throws where it hangs: every wait of a command must end. */
const endOf = (child: ChildProcess, args: readonly string[]): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const said = { stdout: '', stderr: '' };
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
    const guard = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`palimpsest ${args.join(' ')} hangs; it said: ${said.stdout}${said.stderr}`));
    }, HANGS_AFTER_MS);
    child.once('error', reject);
    // Not `close`: a process that outlives the command may hold its stderr, and is looked for by itself.
    child.once('exit', (code, signal) => {
      clearTimeout(guard);
      setImmediate(() => resolve({ code, signal, ...said }));
    });
  });
