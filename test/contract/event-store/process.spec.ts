import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { lockFolder, spawnEventStore, startEventStore } from '@app/embedded-event-store';
import { CancelledError } from '@eventstore/db-client';
import { type ServiceError, status } from '@grpc/grpc-js';
import { jest } from '@jest/globals';
import { open } from 'lmdb';
import { startOutside } from './support/child-program.js';
import { connect, describeEmbedded, temporaryFolder } from './support/contract-server.js';
import { collect, counted, countedUp } from './support/events.js';
import { appendOptions, failureOf, rawStreams } from './support/raw-streams.js';
import { errorOf, inboxOf } from './support/waiting.js';

describeEmbedded('event store process', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await temporaryFolder();
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  it('names the port that is in use', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) => {
      other.listen(0, '127.0.0.1', () => {
        const address = other.address();
        resolve(typeof address === 'object' && address ? address.port : 0);
      });
    });
    await expect(spawnEventStore({ dataDir, port })).rejects.toMatchObject({
      code: 'port-in-use',
      message: expect.stringContaining(String(port)),
    });
    other.close();
    const server = await spawnEventStore({ dataDir });
    await server.stop();
  });

  it('locks its folder, and names the owner of a locked one', async () => {
    const server = await spawnEventStore({ dataDir });
    await expect(spawnEventStore({ dataDir })).rejects.toMatchObject({
      code: 'data-folder-in-use',
      message: expect.stringContaining(String(server.pid)),
    });
    await expect(startEventStore({ dataDir })).rejects.toMatchObject({ code: 'data-folder-in-use' });
    await server.stop();
    const next = await startEventStore({ dataDir });
    await next.stop();
  });

  it('takes over the folder of a killed process at once', async () => {
    const server = await spawnEventStore({ dataDir });
    process.kill(server.pid, 'SIGKILL');
    await server.exited;
    const next = await spawnEventStore({ dataDir });
    await next.stop();
  });

  it('takes over if the owner’s pid belongs to another process now', async () => {
    await writeFile(join(dataDir, 'owner.7'), JSON.stringify({ pid: process.pid, started: 'long ago' }));
    const server = await spawnEventStore({ dataDir });
    await server.stop();
    expect(await readdir(dataDir)).toContain('owner.8');
  });

  it('is rejected while an owner in another container runs, and not after its end', async () => {
    const owner = await spawnEventStore({ dataDir });
    // To other processes its pid now belongs to another container: only its heartbeat tells that it runs.
    const identity = { pid: 1, started: 'unknown', namespace: 'another' };
    await writeFile(join(dataDir, 'owner.1'), JSON.stringify(identity));
    await expect(spawnEventStore({ dataDir })).rejects.toMatchObject({ code: 'data-folder-in-use' });
    process.kill(owner.pid, 'SIGKILL');
    await owner.exited;
    const server = await spawnEventStore({ dataDir });
    await server.stop();
  });

  it('stops writing if another process took over while it was suspended', async () => {
    const lock = lockFolder(dataDir);
    expect(() => lock.assertHeld()).not.toThrow();
    await writeFile(join(dataDir, 'owner.2'), JSON.stringify({ pid: 1, started: 'x', namespace: 'another' }));
    const now = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now + 60_000);
    expect(() => lock.assertHeld()).toThrow(expect.objectContaining({ code: 'data-folder-in-use' }));
    clock.mockRestore();
    lock.release();
  });

  it('lets one of many processes take over a stale lock', async () => {
    await writeFile(join(dataDir, 'owner.1'), JSON.stringify({ pid: 2 ** 22 - 1, started: 'long ago' }));
    const attempts = await Promise.allSettled(Array.from({ length: 6 }, () => spawnEventStore({ dataDir })));
    const winners = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []));
    const losers = attempts.flatMap((attempt) => (attempt.status === 'rejected' ? [attempt.reason] : []));
    expect(winners).toHaveLength(1);
    for (const reason of losers) expect(reason).toMatchObject({ code: 'data-folder-in-use' });
    await winners[0]?.stop();
  });

  it('rejects the folder of a newer version', async () => {
    const server = await spawnEventStore({ dataDir });
    process.kill(server.pid, 'SIGKILL'); // After a graceful stop the database must not change.
    await server.exited;
    const root = open({ path: join(dataDir, 'events.mdb'), noSubdir: true, overlappingSync: false });
    const about = root.openDB({ name: 'about', keyEncoding: 'binary', encoding: 'binary' });
    const [key, value, checksum] = [Buffer.from('format'), Buffer.from('99'), Buffer.alloc(4)];
    checksum.writeUInt32BE(crc32(value, crc32(key, crc32('about'))));
    await about.put(key, Buffer.concat([value, checksum]));
    await root.close();
    await expect(spawnEventStore({ dataDir })).rejects.toMatchObject({
      code: 'data-folder-newer',
      message: expect.stringContaining('99'),
    });
  });

  it('states why a folder is unusable', async () => {
    const file = join(dataDir, 'a-file');
    await writeFile(file, 'not a folder');
    await expect(spawnEventStore({ dataDir: file })).rejects.toMatchObject({ code: 'data-folder-unusable' });
    // Permissions do not apply to root.
    if (process.getuid?.() === 0) return;
    const closed = join(dataDir, 'closed');
    await mkdir(closed);
    await chmod(closed, 0o500);
    await expect(spawnEventStore({ dataDir: closed })).rejects.toMatchObject({
      code: 'data-folder-unusable',
    });
    await chmod(closed, 0o700);
  });

  it('ends reads with CANCELLED when it stops, after sending all accepted events', async () => {
    const server = await spawnEventStore({ dataDir });
    const client = connect(server.url);
    await client.appendToStream('some', counted(0));
    const subscription = client.subscribeToAll();
    const ended = errorOf(subscription);
    await inboxOf(subscription).count(2);
    await server.stop();
    expect(await ended).toBeInstanceOf(CancelledError);
    expect(await server.exited).toEqual({ code: 0, signal: null });
    await client.dispose();
  });

  it('ends appends in flight with UNAVAILABLE when it stops', async () => {
    const server = await spawnEventStore({ dataDir });
    const client = rawStreams(server.url);
    const classic = new Promise<ServiceError | null>((resolve) => {
      const call = client.append((fault) => resolve(fault));
      call.on('error', () => undefined);
      call.write(appendOptions('some'));
    });
    const batch = failureOf(client.batchAppend());
    await setTimeout(200); // Unanswered calls do not tell when they arrive.
    await server.stop();
    expect(await classic).toMatchObject({ code: status.UNAVAILABLE });
    expect(await batch).toMatchObject({ code: status.UNAVAILABLE });
    client.close();
  });

  it('ignores SIGINT from the terminal', async () => {
    const server = await spawnEventStore({ dataDir });
    const client = connect(server.url);
    process.kill(server.pid, 'SIGINT');
    await client.appendToStream('some', countedUp(3));
    expect(await collect(client.readStream('some'))).toHaveLength(3);
    await client.dispose();
    await server.stop();
  });

  it('stops when its parent is killed', async () => {
    const { child } = await startOutside(dataDir, 'spawnEventStore');
    child.kill('SIGKILL');
    // The folder is free once the grandchild has stopped.
    const next = await untilFree(() => spawnEventStore({ dataDir }));
    await next.stop();
  });
});

const untilFree = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
  for (;;) {
    try {
      return await attempt();
    } catch (fault) {
      if (!(fault instanceof Error) || !('code' in fault) || fault.code !== 'data-folder-in-use') throw fault;
    }
  }
};
