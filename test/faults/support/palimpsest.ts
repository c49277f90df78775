import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** The end of a command, with its output. */
export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};
export type Running = { readonly child: ChildProcess; readonly pid: number; readonly ended: Promise<Ended> };

export type StartOptions = {
  /** Added to the tests' environment, from which Palimpsest's settings are removed. */
  readonly env?: Readonly<Record<string, string>>;
  /** A program that starts the command, with its arguments, for example to set limits. */
  readonly through?: readonly string[];
  /** A file descriptor for the output, which is then not read. */
  readonly stdout?: number;
  readonly cwd?: string;
  /** The root of the installation, which contains `bin`. */
  readonly root?: string;
};

export const ROOT = join(import.meta.dirname, '../../..');
/** A command that takes longer hangs. */
const HANGS_AFTER_MS = 300_000;

/** Starts `palimpsest` with the arguments, as a shell does. */
export const start = (args: readonly string[], options: StartOptions = {}): Running => {
  const { env, cwd, through = [], stdout = 'pipe', root = ROOT } = options;
  const [program = '', ...rest] = [...through, process.execPath, join(root, 'bin/palimpsest.mjs'), ...args];
  const child = spawn(program, rest, {
    // Servers do not show their folder in their arguments: this marker identifies their processes.
    env: { ...strangersEnvironment(), MARK_OF_TEST: args[args.indexOf('--data') + 1] ?? '', ...env },
    stdio: ['ignore', stdout, 'pipe'],
    ...(cwd !== undefined && { cwd }),
  });
  return { child, pid: child.pid ?? 0, ended: endOf(child, args) };
};

/** Runs a command to its end. */
export const run = (args: readonly string[], options?: StartOptions): Promise<Ended> =>
  start(args, options).ended;

/** Runs a command that must succeed without stderr, and returns its stdout. */
export const output = async (args: readonly string[], options?: StartOptions): Promise<string> => {
  const { code, signal, stdout, stderr } = await run(args, options);
  if (code === 0 && stderr === '') return stdout;
  throw new Error(`palimpsest ${args.join(' ')} ended with ${signal ?? code} and said: ${stderr}`);
};

const strangersEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PALIMPSEST_|NODE_OPTIONS$|JEST_)/.test(name)),
  );

/** @throws if the command hangs. */
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
    // Not `close`: a process that outlives the command may keep its stderr open, and is searched for separately.
    child.once('exit', (code, signal) => {
      clearTimeout(guard);
      setImmediate(() => resolve({ code, signal, ...said }));
    });
  });
