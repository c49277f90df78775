import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { invariant } from '@app/kernel';
import { z } from 'zod';

const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const PROGRAM = join(ROOT, 'programs/api.js');
export const ADMIN_KEY = 'pal_a_key_for_benchmarks';

const health = z.object({ projections: z.array(z.object({ lag: z.number().nullable() })) });

/** The whole service in one process, on the embedded servers. */
export class Service {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly ended: Promise<void>,
  ) {}

  /** Resolves when it is ready. */
  static async start(folder: string, more: NodeJS.ProcessEnv = {}): Promise<Service> {
    const settings = {
      PALIMPSEST_DATA: folder,
      PALIMPSEST_HTTP_PORT: '0',
      PALIMPSEST_API_KEY: ADMIN_KEY,
      PALIMPSEST_LOG_LEVEL: 'warn',
      PALIMPSEST_STREAM_READERS_MAX: '2000',
      ...more,
    };
    const child = spawn(process.execPath, [PROGRAM], {
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
    });
    const url = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stdout.on('data', (bytes: Buffer) => {
        text += bytes.toString();
        const found = /ready at (\S+)/.exec(text)?.[1];
        if (found !== undefined) resolve(found);
      });
      void ended.then(() => reject(new Error('the service ended before it was ready')));
    });
    return new Service(url, child, ended);
  }

  /** Megabytes that the process holds. */
  async memory(): Promise<number> {
    const status = await readFile(`/proc/${this.child.pid}/status`, 'utf8');
    const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
    invariant(kilobytes > 0, 'a process that runs has memory');
    return kilobytes / 1_024;
  }

  /** Events that are in the log and not yet in all rows. */
  async lag(): Promise<number> {
    const answer = await fetch(`${this.url}/health`);
    const { projections } = health.parse(await answer.json());
    return Math.max(...projections.map(({ lag }) => lag ?? Number.POSITIVE_INFINITY));
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    await this.ended;
  }
}
