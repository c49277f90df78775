import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { spawnPostgres } from '@app/embedded-postgres';
import {
  answerOf,
  asSuperuser,
  isAlive,
  kill,
  memory,
  parentOf,
  query,
  remember,
  Started,
  until,
} from './support.js';

/**
 * Guarantee: the next start has every committed transaction, however the last one ended; and no server is left
 * running.
 */
describe('embedded PostgreSQL', () => {
  const started = new Started();
  afterEach(() => started.end());

  it('is created at the first start and reopened at the second', async () => {
    const dataDir = join(started.folder(), 'not', 'there', 'yet');
    const first = await started.server(spawnPostgres({ dataDir }));
    await remember(first.url, 'first');
    await first.stop();
    expect(await first.exited).toEqual({ code: 0, signal: null });
    expect(isAlive(first.pid)).toBe(false);

    const second = await started.server(spawnPostgres({ dataDir }));
    expect(await memory(second.url)).toEqual([{ word: 'first' }]);
  });

  it('is durable, uses UTF-8 and UTC, and its user is no superuser', async () => {
    const { url } = await started.server(spawnPostgres({ dataDir: started.folder() }));
    const settings = `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
      current_setting('server_encoding') as encoding, current_setting('timezone') as zone,
      current_setting('listen_addresses') as addresses, current_database() as database,
      (select rolsuper from pg_roles where rolname = current_user) as super`;
    expect(await query(url, settings)).toEqual([
      {
        fsync: 'on',
        commit: 'on',
        encoding: 'UTF8',
        zone: 'UTC',
        addresses: '127.0.0.1',
        database: 'palimpsest',
        super: false,
      },
    ]);
  });

  it('keeps its password readable by its user only, and requires it', async () => {
    const dataDir = started.folder();
    const { url } = await started.server(spawnPostgres({ dataDir }));
    expect(statSync(join(dataDir, 'cluster/palimpsest.password')).mode & 0o777).toBe(0o600);
    const other = new URL(url);
    other.password = 'guessed';
    await expect(query(other.href, 'select 1')).rejects.toThrow('password authentication failed');
  });

  it('adds the reader role to an older folder, even after a crash', async () => {
    const dataDir = started.folder();
    const first = await started.server(spawnPostgres({ dataDir }));
    const reader = `select rolcanlogin as login, rolsuper or rolbypassrls as passes,
      pg_has_role(oid, 'set') as ours from pg_roles where rolname = 'palimpsest_reader'`;
    const asExpected = [{ login: false, passes: false, ours: true }];
    expect(await query(first.url, reader)).toEqual(asExpected);
    await remember(first.url, 'committed');
    await first.stop();
    asSuperuser(dataDir, 'DROP ROLE palimpsest_reader');
    rmSync(join(dataDir, 'cluster/palimpsest.grants'));
    const older = await started.server(spawnPostgres({ dataDir }));
    await remember(older.url, 'later');
    process.kill(older.pid, 'SIGKILL');
    await older.exited;
    rmSync(join(dataDir, 'cluster/palimpsest.grants'));

    const second = await started.server(spawnPostgres({ dataDir }));
    expect(await query(second.url, reader)).toEqual(asExpected);
    expect(await memory(second.url)).toEqual([{ word: 'committed' }, { word: 'later' }]);
  });

  it('reports that it was killed, and loses nothing', async () => {
    const dataDir = started.folder();
    const first = await started.server(spawnPostgres({ dataDir }));
    await remember(first.url, 'committed');
    process.kill(first.pid, 'SIGKILL');
    expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });

    const second = await started.server(spawnPostgres({ dataDir }));
    expect(await memory(second.url)).toEqual([{ word: 'committed' }]);
  });

  it('waits for the running query of a killed server, which holds the shared memory', async () => {
    const dataDir = started.folder();
    const first = await started.server(spawnPostgres({ dataDir }));
    await remember(first.url, 'committed');
    const computing = query(first.url, 'select count(*) from generate_series(1, 15000000) as busy').catch(
      () => {},
    );
    const busy = `select count(*)::integer as count from pg_stat_activity where query like '%as busy'
      and state = 'active' and pid <> pg_backend_pid()`;
    await until(async () => JSON.stringify(await query(first.url, busy)) === '[{"count":1}]');
    process.kill(first.pid, 'SIGKILL');
    await first.exited;

    const second = await started.server(spawnPostgres({ dataDir }));
    expect(readFileSync(join(dataDir, 'server.log'), 'utf8')).toContain('pre-existing shared memory block');
    expect(await memory(second.url)).toEqual([{ word: 'committed' }]);
    await computing;
  });

  it('is replaced at the next start if it outlives its killed supervisor', async () => {
    const dataDir = started.folder();
    const first = await started.server(spawnPostgres({ dataDir }));
    await remember(first.url, 'committed');
    process.kill(parentOf(first.pid), 'SIGKILL');
    await first.exited;
    await remember(first.url, 'by the orphan');

    const second = await started.server(spawnPostgres({ dataDir }));
    expect(isAlive(first.pid)).toBe(false);
    expect(await memory(second.url)).toEqual([{ word: 'by the orphan' }, { word: 'committed' }]);
  });

  it('can be stopped if it outlives its killed supervisor', async () => {
    const server = await started.server(spawnPostgres({ dataDir: started.folder() }));
    process.kill(parentOf(server.pid), 'SIGKILL');
    await server.exited;
    await server.stop();
    expect(isAlive(server.pid)).toBe(false);
  });

  it('stops with the process that started it, however that process ends', async () => {
    const holder = started.holder(started.folder());
    const { pid } = await answerOf(holder);
    const supervisor = parentOf(pid);
    await kill(holder);
    await until(() => !isAlive(pid) && !isAlive(supervisor));
  });

  it('can be restarted at once after that process was killed', async () => {
    const dataDir = started.folder();
    const holder = started.holder(dataDir);
    const { url, pid } = await answerOf(holder);
    await remember(url, 'committed');
    await kill(holder);

    const next = await started.server(spawnPostgres({ dataDir }));
    expect(isAlive(pid)).toBe(false);
    expect(await memory(next.url)).toEqual([{ word: 'committed' }]);
  });

  it('ignores Ctrl-C, which its parent handles', async () => {
    const server = await started.server(spawnPostgres({ dataDir: started.folder() }));
    const supervisor = parentOf(server.pid);
    process.kill(supervisor, 'SIGINT');
    process.kill(supervisor, 'SIGHUP');
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(isAlive(supervisor)).toBe(true);
  });

  it('leaves no partial database if its creation is interrupted', async () => {
    const dataDir = started.folder();
    const holder = started.holder(dataDir);
    const drafts = (): number =>
      readdirSync(dataDir).filter((name) => name.startsWith('initializing-')).length;
    await until(() => drafts() > 0);
    await kill(holder);

    const { url } = await started.server(spawnPostgres({ dataDir }));
    expect(drafts()).toBe(0);
    expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});
