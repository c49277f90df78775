import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEventStore } from '@app/adapters/event-store-db';
import { migrate, openContentKeys, openDatabase } from '@app/adapters/read-model-postgres';
import { newSecretKey, WRAPPING } from '@app/adapters/secret-box';
import { spawnEventStore } from '@app/embedded-event-store';
import { spawnPostgres } from '@app/embedded-postgres';
import { IsoTime } from '@app/kernel';
import {
  MemoryBlobStore,
  openApplication,
  openSession,
  playTurns,
  recordedEvents,
  requestCompaction,
  sessionRef,
} from '@app/testing';

const WORKER = new URL('../../dist/programs/worker.js', import.meta.url).pathname;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const folder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'worker-'));
  ends.push(() => rm(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
};

type Line = { readonly level: string; readonly event?: string; readonly code?: string };
type Worker = {
  readonly child: ChildProcess;
  readonly lines: readonly Line[];
  readonly ready: Promise<void>;
  readonly exited: Promise<number | null>;
};

/** Starts the shipped worker with these settings only. */
const startWorker = (settings: Readonly<Record<string, string>>): Worker => {
  const child = spawn(process.execPath, [WORKER], {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  ends.push(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  const lines: Line[] = [];
  const ready = new Promise<void>((resolve, reject) => {
    let rest = '';
    child.stderr?.on('data', (bytes: Buffer) => {
      const parts = `${rest}${bytes}`.split('\n');
      rest = parts.pop() ?? '';
      lines.push(...parts.map((part): Line => JSON.parse(part)));
      if (lines.some(({ event }) => event === 'ready')) resolve();
    });
    void exited.then((code) => reject(new Error(`the worker ended with ${code}: ${JSON.stringify(lines)}`)));
  });
  ready.catch(() => {});
  return { child, lines, ready, exited };
};

describe('worker', () => {
  it('finishes a compaction that another process has requested, and stops on SIGTERM', async () => {
    const eventStore = await spawnEventStore({ dataDir: await folder() });
    ends.push(() => eventStore.stop());
    const postgres = await spawnPostgres({ dataDir: join(await folder(), 'postgres') });
    ends.push(() => postgres.stop());
    const clock = { now: () => IsoTime(new Date()) };
    const database = openDatabase(postgres.url);
    ends.push(() => database.close());
    await migrate(database.db);
    const installationKey = newSecretKey();
    const keys = await openContentKeys(database, WRAPPING.boxOf(installationKey), WRAPPING, {
      cacheMs: 60_000,
    });
    const stores = { blobs: new MemoryBlobStore(), keys };
    const { log, subscriptions, close } = openEventStore(eventStore.url, stores, clock);
    ends.push(close);
    const application = openApplication({ log, subscriptions });
    const ref = sessionRef();
    await openSession(application, ref);
    await playTurns(application, ref, 0, 12);
    const { compactionId } = await requestCompaction(application, ref);

    const worker = startWorker({
      PALIMPSEST_EVENTSTORE_URL: eventStore.url,
      PALIMPSEST_POSTGRES_URL: postgres.url,
      PALIMPSEST_SECRETS_KEY: installationKey,
    });
    expect((await application.outcomes.outcomeOf(ref, compactionId)).type).toBe('CompactionCompleted');
    await worker.ready;
    const { compactionId: second } = await requestCompaction(application, ref);
    await application.outcomes.outcomeOf(ref, second);
    worker.child.kill('SIGTERM');
    expect(await worker.exited).toBe(0);
    expect(worker.lines.map(({ level, event }) => [level, event])).toEqual([
      ['info', 'ready'],
      ['info', 'stopped'],
    ]);
    expect(
      (await recordedEvents(log, ref)).filter(({ type }) => type === 'CompactionApplied').length,
    ).toBeGreaterThan(0);
  });

  it('exits with 1 and one line if a required server has ended', async () => {
    const worker = startWorker({ PALIMPSEST_DATA: await folder() });
    await worker.ready;
    const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(worker.child.pid)], {
      encoding: 'utf8',
    });
    const [pid] = children.split('\n').filter((line) => line.includes('programs/event-store'));
    process.kill(Number.parseInt(pid ?? '', 10), 'SIGKILL');
    expect(await worker.exited).toBe(1);
    const errors = worker.lines.filter(({ level }) => level === 'error');
    expect(errors).toMatchObject([{ event: 'failed', code: 'event-store-unavailable' }]);
  });

  it('exits with 1 and one line if its configuration is invalid', async () => {
    const worker = startWorker({ PALIMPSEST_EVENTSTORE_URL: 'http://user:secret@host' });
    expect(await worker.exited).toBe(1);
    expect(worker.lines).toMatchObject([{ level: 'error', code: 'invalid-configuration' }]);
    expect(JSON.stringify(worker.lines)).not.toContain('secret');
  });
});
