import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { newDataFolder } from './deployments/processes/data-folder.js';
import { type CliResult, Shell } from './shell/shell.js';

const PROGRAM = fileURLToPath(new URL('../../bin/palimpsest.mjs', import.meta.url));

/**
 * Runs the command line in a child process.
 *
 * Rejects if the process has not exited after `limitMs`, after killing it with its servers. A non-zero exit code is
 * an ordinary result.
 */
export const runCli = (
  args: readonly string[],
  { limitMs = 300_000, env = {} }: { readonly limitMs?: number; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<CliResult> =>
  new Promise((resolve, reject) => {
    // In a separate process group, so that its servers are killed with it.
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      detached: true,
      env: { ...cleanEnvironment(), ...env },
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (bytes: Buffer) => stdout.push(bytes));
    child.stderr.on('data', (bytes: Buffer) => stderr.push(bytes));
    const textOf = (parts: readonly Buffer[]): string => Buffer.concat(parts).toString();
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      killGroup(child);
    }, limitMs);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      const what = `palimpsest ${args.slice(0, 2).join(' ')}`;
      if (isLate) reject(new Error(`${what} had not ended after ${limitMs} ms: ${textOf(stderr)}`));
      else if (code === null) reject(new Error(`${what} was ended by ${signal}: ${textOf(stderr)}`));
      else resolve({ exitCode: code, stdout: textOf(stdout), stderr: textOf(stderr) });
    });
  });

/** The data folder of a spec, with the command line. */
export class CliFolder {
  private constructor(
    readonly data: string,
    private readonly shell?: Shell,
    private readonly env: Readonly<Record<string, string>> = {},
  ) {}

  /** Returns the same folder with environment variables for its commands; for a folder without running servers. */
  with(env: Readonly<Record<string, string>>): CliFolder {
    return new CliFolder(this.data, this.shell, env);
  }

  /** Creates a folder on which every command is a separate process with its own servers. */
  static async make(): Promise<CliFolder> {
    return new CliFolder(await newDataFolder('palimpsest-e2e-'));
  }

  /** Creates a folder, or opens `folder`, with running servers and one process for all commands. */
  static async shared(folder?: CliFolder): Promise<CliFolder> {
    const { data } = folder ?? (await CliFolder.make());
    const shell = new Shell();
    await shell.open(data);
    return new CliFolder(data, shell);
  }

  /** Runs a command on this folder, and returns how it ended. */
  attempt(...args: readonly string[]): Promise<CliResult> {
    const onFolder = [...args, '--data', this.data];
    return this.shell ? this.shell.run(onFolder, this.env) : runCli(onFolder);
  }

  /** Runs a command with `--json` on this folder; throws its output on failure. */
  async run(command: string, ...args: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await this.attempt(command, '--json', ...args);
    if (exitCode !== 0) throw new Error(`${command} ended with ${exitCode}: ${stderr}`);
    return stdout;
  }

  /** Returns the output of a command, one parsed value per line. */
  async lines<Line>(command: string, ...args: readonly string[]): Promise<readonly Line[]> {
    return jsonLines<Line>(await this.run(command, ...args));
  }

  /** Returns the single answer of a command. */
  async one<Answer>(command: string, ...args: readonly string[]): Promise<Answer> {
    const [answer, ...more] = await this.lines<Answer>(command, ...args);
    if (answer === undefined || more.length > 0) throw new Error(`${command} gave ${more.length + 1} lines`);
    return answer;
  }

  /** Stops its processes, and keeps its files. */
  async leave(): Promise<void> {
    await this.shell?.end();
  }

  async remove(): Promise<void> {
    await this.leave();
    await rm(this.data, { recursive: true, force: true });
  }
}

/** `Line` is the caller's expectation, which the tests check. */
const jsonLines = <Line>(text: string): Line[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line): Line => JSON.parse(line));

const cleanEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PALIMPSEST_')));

const killGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has exited meanwhile.
  }
};
