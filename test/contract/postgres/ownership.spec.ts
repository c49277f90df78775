import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { spawnPostgres } from '@app/embedded-postgres';
import { NOBODY } from '../../support/open-to-all.js';
import { answerOf, isAlive, isRoot, kill, memory, parentOf, query, remember, Started } from './support.js';

/** Guarantee: one folder has one server, and nobody's living process is taken for a dead one's. */
describe('a data folder', () => {
  const started = new Started();
  afterEach(() => started.end());

  it('is refused while this process runs a server on it', async () => {
    const dataDir = started.folder();
    const { url } = await started.server(spawnPostgres({ dataDir }));
    await expect(spawnPostgres({ dataDir })).rejects.toMatchObject({
      code: 'data-folder-in-use',
      message: expect.stringContaining(`process ${process.pid}`),
    });
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('is not touched by one who has stopped a server there before', async () => {
    const dataDir = started.folder();
    const first = await started.server(spawnPostgres({ dataDir }));
    await first.stop();
    const { url } = await started.server(spawnPostgres({ dataDir }));
    await first.stop();
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('is refused while another process does, with the number of that process', async () => {
    const dataDir = started.folder();
    const holder = started.holder(dataDir);
    const { url } = await answerOf(holder);
    await expect(spawnPostgres({ dataDir })).rejects.toMatchObject({
      code: 'data-folder-in-use',
      message: expect.stringContaining(`process ${holder.pid}`),
    });
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('goes to one of several that start at once', async () => {
    const dataDir = started.folder();
    const answers = await Promise.all([1, 2, 3, 4].map(() => answerOf(started.holder(dataDir))));
    const codes = answers.map(({ code }) => code).sort();
    expect(codes).toEqual(['data-folder-in-use', 'data-folder-in-use', 'data-folder-in-use', undefined]);
  });

  it('goes to one of several that find it orphaned at once', async () => {
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

  it('is taken from a dead server whose number a stranger bears now, and the stranger lives', async () => {
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

  it('is refused while a server that is not ours runs on it, and that server lives', async () => {
    const dataDir = started.folder();
    await (await started.server(spawnPostgres({ dataDir }))).stop();
    const cluster = join(dataDir, 'cluster');
    // What tells a server of ours from another is its command line: here, one without our mark in the same
    // place.
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

  it('opens with what a crash may leave: an empty record of the owner, an empty number of the server', async () => {
    const dataDir = started.folder();
    await (await started.server(spawnPostgres({ dataDir }))).stop();
    writeFileSync(join(dataDir, 'owner.7'), '');
    writeFileSync(join(dataDir, 'cluster/postmaster.pid'), '');
    const { url } = await started.server(spawnPostgres({ dataDir }));
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('of another major version is refused', async () => {
    const dataDir = started.folder();
    mkdirSync(join(dataDir, 'cluster'));
    writeFileSync(join(dataDir, 'cluster/PG_VERSION'), '19\n');
    await expect(spawnPostgres({ dataDir })).rejects.toMatchObject({
      code: 'data-folder-newer',
      message: expect.stringContaining('PostgreSQL 19'),
    });
  });

  it('that holds other things is refused, and left as it is', async () => {
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
      ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    });
});

describe('a port', () => {
  const started = new Started();
  afterEach(() => started.end());

  it('that is taken is named', async () => {
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
      // The folder is free again by the time of the refusal.
      await started.server(spawnPostgres({ dataDir }));
    } finally {
      taken.close();
    }
  });

  it('that is free is used, with the data there was on another', async () => {
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
