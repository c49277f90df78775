import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { spawnPostgres } from '@app/embedded-postgres';
import { UNPRIVILEGED } from '../../support/open-to-all.js';
import { answerOf, isAlive, isRoot, kill, memory, parentOf, query, remember, Started } from './support.js';

/** Guarantee: a folder has one server, and a recycled pid is not taken for its previous owner. */
describe('data folder', () => {
  const started = new Started();
  afterEach(() => started.end());

  it('is rejected while this process runs a server on it', async () => {
    const dataDir = started.folder();
    const { url } = await started.server(spawnPostgres({ dataDir }));
    await expect(spawnPostgres({ dataDir })).rejects.toMatchObject({
      code: 'data-folder-in-use',
      message: expect.stringContaining(`process ${process.pid}`),
    });
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('is unaffected by a repeated stop of an earlier server', async () => {
    const dataDir = started.folder();
    const first = await started.server(spawnPostgres({ dataDir }));
    await first.stop();
    const { url } = await started.server(spawnPostgres({ dataDir }));
    await first.stop();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('is rejected with the pid while another process runs a server on it', async () => {
    const dataDir = started.folder();
    const holder = started.holder(dataDir);
    const { url } = await answerOf(holder);
    await expect(spawnPostgres({ dataDir })).rejects.toMatchObject({
      code: 'data-folder-in-use',
      message: expect.stringContaining(`process ${holder.pid}`),
    });
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('is assigned to one of several concurrent starts', async () => {
    const dataDir = started.folder();
    const answers = await Promise.all([1, 2, 3, 4].map(() => answerOf(started.holder(dataDir))));
    const codes = answers.map(({ code }) => code).sort();
    expect(codes).toEqual(['data-folder-in-use', 'data-folder-in-use', 'data-folder-in-use', undefined]);
  });

  it('is assigned to one of several that find it orphaned', async () => {
    const dataDir = started.folder();
    const first = await started.server(spawnPostgres({ dataDir }));
    await remember(first.url, 'committed');
    process.kill(parentOf(first.pid), 'SIGKILL');
    await first.exited;
    const answers = await Promise.all([1, 2, 3].map(() => answerOf(started.holder(dataDir))));
    const winners = answers.filter(({ code }) => code === undefined);
    expect(winners).toHaveLength(1);
    expect(await memory(winners[0]?.url ?? '')).toEqual([{ word: 'committed' }]);
  });

  it('is taken over from a dead server whose pid an unrelated process has now, which survives', async () => {
    const dataDir = started.folder();
    const first = await started.server(spawnPostgres({ dataDir }));
    await remember(first.url, 'committed');
    const pidFile = join(dataDir, 'cluster/postmaster.pid');
    const record = readFileSync(pidFile, 'utf8');
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    const stranger = idleProcess();
    try {
      writeFileSync(pidFile, record.replace(/^\d+/, String(stranger.pid)));
      const second = await started.server(spawnPostgres({ dataDir }));
      expect(await memory(second.url)).toEqual([{ word: 'committed' }]);
      expect(isAlive(stranger.pid ?? 0)).toBe(true);
    } finally {
      await kill(stranger);
    }
  });

  it('is rejected while an unsupervised server runs on it, which survives', async () => {
    const dataDir = started.folder();
    await (await started.server(spawnPostgres({ dataDir }))).stop();
    const cluster = join(dataDir, 'cluster');
    // The command line distinguishes a supervised server: this one lacks the mark.
    const stranger = idleProcess(cluster);
    try {
      writeFileSync(join(cluster, 'postmaster.pid'), `${stranger.pid}\n${cluster}\n`);
      await expect(spawnPostgres({ dataDir })).rejects.toMatchObject({
        code: 'data-folder-in-use',
        message: expect.stringContaining(`process ${stranger.pid}`),
      });
      expect(isAlive(stranger.pid ?? 0)).toBe(true);
    } finally {
      await kill(stranger);
    }
  });

  it('opens after a crash that left an empty owner file and an empty pid file', async () => {
    const dataDir = started.folder();
    await (await started.server(spawnPostgres({ dataDir }))).stop();
    writeFileSync(join(dataDir, 'owner.7'), '');
    writeFileSync(join(dataDir, 'cluster/postmaster.pid'), '');
    const { url } = await started.server(spawnPostgres({ dataDir }));
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('of another major version is rejected', async () => {
    const dataDir = started.folder();
    mkdirSync(join(dataDir, 'cluster'));
    writeFileSync(join(dataDir, 'cluster/PG_VERSION'), '19\n');
    await expect(spawnPostgres({ dataDir })).rejects.toMatchObject({
      code: 'data-folder-newer',
      message: expect.stringContaining('PostgreSQL 19'),
    });
  });

  it('with other files is rejected and left unchanged', async () => {
    const dataDir = started.folder();
    writeFileSync(join(dataDir, 'thesis.txt'), 'mine');
    await expect(spawnPostgres({ dataDir })).rejects.toMatchObject({
      code: 'data-folder-unusable',
      message: expect.stringContaining('thesis.txt'),
    });
    await expect(spawnPostgres({ dataDir: join(dataDir, 'thesis.txt') })).rejects.toMatchObject({
      code: 'data-folder-unusable',
    });
  });

  const idleProcess = (cwd = '/'): ChildProcess =>
    spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], {
      cwd,
      stdio: 'ignore',
      ...(isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}),
    });
});

describe('port', () => {
  const started = new Started();
  afterEach(() => started.end());

  it('is named if it is in use', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const dataDir = started.folder();
    try {
      await expect(spawnPostgres({ dataDir, port })).rejects.toMatchObject({
        code: 'port-in-use',
        message: expect.stringContaining(String(port)),
      });
      // The folder is free again when the error is reported.
      await started.server(spawnPostgres({ dataDir }));
    } finally {
      taken.close();
    }
  });

  it('can change between starts', async () => {
    const dataDir = started.folder();
    const first = await started.server(spawnPostgres({ dataDir }));
    await remember(first.url, 'kept');
    await first.stop();
    const port = Number(new URL(first.url).port);
    const second = await started.server(spawnPostgres({ dataDir, port }));
    expect(second.url).toBe(first.url);
    expect(await memory(second.url)).toEqual([{ word: 'kept' }]);
  });

  it.each([-1, 65_536, 1.5, Number.NaN])('cannot be %p', async (port) => {
    await expect(spawnPostgres({ dataDir: started.folder(), port })).rejects.toMatchObject({
      code: 'invalid-configuration',
    });
  });
});
