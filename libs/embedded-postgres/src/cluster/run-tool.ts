import { spawn } from 'node:child_process';
import { AppError } from '@app/kernel';
import { messageOf, serverFailure } from '../failures.js';
import { OutputLines } from '../server/output-lines.js';
import { ServerLog } from '../server/server-log.js';

export type ToolRun = {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Text for standard input; none if absent. */
  readonly input?: string;
  readonly dataDir: string;
  readonly signal: AbortSignal;
};

/** Runs a PostgreSQL program to its end. On failure throws the error that its last lines indicate. */
export const runTool = ({ program, args, env, input, dataDir, signal }: ToolRun): Promise<void> =>
  new Promise((resolve, reject) => {
    const lines = new OutputLines();
    const log = new ServerLog(dataDir);
    const onOutput = (chunk: Buffer): void => {
      log.write(chunk);
      lines.push(chunk);
    };
    const tool = spawn(program, args, { cwd: dataDir, env, signal, stdio: ['pipe', 'pipe', 'pipe'] });
    tool.stdout.on('data', onOutput);
    tool.stderr.on('data', onOutput);
    tool.stdin.on('error', () => {}); // It may exit early; then its exit code tells why.
    tool.stdin.end(input);
    tool.once('error', (error) => {
      const text = `${program} cannot be started: ${messageOf(error)}`;
      reject(new AppError('postgres-unavailable', text, { cause: error }));
    });
    tool.once('close', (code, killedBy) => {
      if (code === 0) return resolve();
      const what = `the database cannot be prepared (${killedBy ?? `exit code ${code}`})`;
      reject(serverFailure(what, lines.newest(), { dataDir }));
    });
  });
