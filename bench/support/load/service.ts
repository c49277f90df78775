import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { resolve as absolute, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PalimpsestClient } from '@app/client';
import { z } from 'zod';
import type { LoopDelay } from './loop-delay.js';
import { type Held, heldBy, heldByProgram, type Live, type Order } from './memory.js';

const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const PROGRAM = join(ROOT, 'programs/api.js');
const PROBE = join(dirname(fileURLToPath(import.meta.url)), 'memory-probe.js');
export const ADMIN_KEY = 'pal_a_key_for_benchmarks';

/** The folder of the service's CPU profile, for `scripts/profile.mjs`. */
const PROFILES = process.env.PALIMPSEST_BENCH_PROFILES;

const live = z.object({ heap: z.number(), external: z.number() });
const delay = z.object({ p50Ms: z.number(), p99Ms: z.number(), maxMs: z.number() });
const health = z.object({ projections: z.array(z.object({ lag: z.number().nullable() })) });

/** Returns the path of the log lines of a service that was started in a folder: beside it, since it holds data only. */
export const logOf = (folder: string): string => `${folder}.log`;

/** The whole service with its worker, on the embedded servers. */
export class Service {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly ended: Promise<void>,
    private readonly folder: string,
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
    const profiled = PROFILES === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${PROFILES}`];
    const child = spawn(process.execPath, [...profiled, '--expose-gc', '--import', PROBE, PROGRAM], {
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    await mkdir(dirname(folder), { recursive: true });
    child.stderr?.pipe(createWriteStream(logOf(folder), { flags: 'a' }));
    child.stderr?.pipe(process.stderr, { end: false });
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
    });
    const url = await new Promise<string>((resolve, reject) => {
      let text = '';
      child.stdout?.on('data', (bytes: Buffer) => {
        text += bytes.toString();
        const found = /ready at (\S+)/.exec(text)?.[1];
        if (found !== undefined) resolve(found);
      });
      void ended.then(() => reject(new Error('the service ended before it was ready')));
    });
    return new Service(url, child, ended, absolute(folder));
  }

  /** The pid of the service; its servers are its children. */
  get pid(): number {
    return this.child.pid ?? 0;
  }

  get admin(): PalimpsestClient {
    return this.clientOf(ADMIN_KEY);
  }

  clientOf(apiKey: string): PalimpsestClient {
    return new PalimpsestClient({ url: this.url, apiKey });
  }

  /** Returns its current memory, including its servers'. */
  memory(): Promise<Held> {
    return heldBy(this.child.pid ?? 0);
  }

  /** Returns its current memory by program, in megabytes, without mapped pages of its data. */
  memoryByProgram(): Promise<ReadonlyMap<string, number>> {
    return heldByProgram(this.pid, this.folder);
  }

  /** Runs a full garbage collection, and returns its live memory. */
  async live(order: Order = {}): Promise<Live> {
    const answer = once(this.child, 'message');
    this.child.send(order);
    return live.parse((await answer)[0]);
  }

  /** Returns the event loop delays since the previous call; the first call starts the measurement. */
  async watchLoop(): Promise<LoopDelay> {
    const answer = once(this.child, 'message');
    const order: Order = { isOfLoop: true };
    this.child.send(order);
    return delay.parse((await answer)[0]);
  }

  /** Returns the number of events that are not in all rows yet. */
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
