import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { migrate, openDatabase, type ReadModelDatabase } from '@app/adapters/read-model-postgres';
import { spawnPostgres } from '@app/embedded-postgres';
import { sql } from 'kysely';
import { query, Started } from './support.js';

describe('read model database', () => {
  const machine = new Started(); // One server for all tests.
  const started = new Started();
  let server: string;
  beforeAll(async () => {
    ({ url: server } = await machine.server(spawnPostgres({ dataDir: machine.folder() })));
  });
  afterAll(() => machine.end());
  const opened: ReadModelDatabase[] = [];
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
    await started.end();
  });

  const open = (url: string): ReadModelDatabase => {
    const database = openDatabase(url);
    opened.push(database);
    return database;
  };
  /** Each test has its own schema, first in the search path. */
  const openNew = async (name: string): Promise<ReadModelDatabase> => {
    await query(server, `create schema ${name}`);
    return open(`${server}?options=-c%20search_path%3D${name}`);
  };
  const folderWith = (files: Readonly<Record<string, string>>): string => {
    const folder = join(started.folder(), 'migrations');
    mkdirSync(folder);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
  };
  const ONE = { '0001_one.sql': 'create table one (id bigint);\ninsert into one values (9007199254740993);' };

  describe('bigint values', () => {
    it('are returned without loss', async () => {
      const { db } = open(server);
      const { rows } = await sql`select 9007199254740993::bigint as large, count(*) as few`.execute(db);
      expect(rows).toEqual([{ large: 9007199254740993n, few: 1n }]);
    });

    it('are accepted as parameters', async () => {
      const { db } = open(server);
      const { rows } = await sql`select ${9007199254740993n}::bigint as large`.execute(db);
      expect(rows).toEqual([{ large: 9007199254740993n }]);
    });
  });

  describe('reported errors', () => {
    it('name a missing server, without the password', async () => {
      const { db } = open('postgres://me:s3cret@127.0.0.1:1/nothing');
      const failure: unknown = await sql`select 1`.execute(db).catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: 'postgres-unavailable',
        message: expect.stringContaining('127.0.0.1:1/nothing'),
      });
      expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('s3cret');
    });

    it('name a wrong password, without showing it', async () => {
      const url = new URL(server);
      url.password = 's3cret';
      const failure: unknown = await sql`select 1`
        .execute(open(url.href).db)
        .catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: 'postgres-unavailable',
        message: expect.stringMatching(/password authentication failed/),
      });
      expect(String(failure)).not.toContain('s3cret');
    });

    it('report a server that disconnects during an answer, and the pool survives', async () => {
      const { db } = open(server);
      const asleep = sql`select pg_sleep(600)`.execute(db);
      const ended = expect(asleep).rejects.toMatchObject({ code: 'postgres-unavailable' });
      let killed = 0n;
      while (killed === 0n) {
        const { rows } = await sql<{ killed: bigint }>`select count(pg_terminate_backend(pid)) as killed
          from pg_stat_activity where query = 'select pg_sleep(600)'`.execute(db);
        killed = rows[0]?.killed ?? 0n;
      }
      await ended;
      expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    });

    it('report a server that disconnects between two queries of a transaction, and the pool survives', async () => {
      const { db } = open(server);
      const torn = db.transaction().execute(async (trx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
        await sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(db);
        await sql`select 1`.execute(trx);
      });
      await expect(torn).rejects.toMatchObject({ code: 'postgres-unavailable' });
      expect((await sql`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
    });

    it('report an error in a query', async () => {
      await expect(sql`select nonsense`.execute(open(server).db)).rejects.toMatchObject({ code: '42703' });
    });

    it.each(['', 'mysql://me:s3cret@host/db', 'postgres//me:s3cret@host'])(
      'reject the invalid URL %p',
      (url) => {
        expect(() => openDatabase(url)).toThrow(expect.objectContaining({ code: 'invalid-configuration' }));
        expect(() => openDatabase(url)).not.toThrow(/s3cret/);
      },
    );
  });

  describe('migration', () => {
    it('runs from nothing to the newest version, and then does nothing', async () => {
      const { db } = await openNew('newest');
      expect((await migrate(db))[0]).toBe('0001_blobs');
      expect(await migrate(db)).toEqual([]);
      const { rows } = await sql`select number, name, length(sha256) as length from schema_migration
        where number = 1`.execute(db);
      expect(rows).toEqual([{ number: 1, name: '0001_blobs', length: 64 }]);
    });

    it('runs once with several concurrent processes', async () => {
      const first = await openNew('together');
      const url = `${server}?options=-c%20search_path%3Dtogether`;
      const all = [first, open(url), open(url), open(url)];
      const folder = folderWith({ ...ONE, '0002_two.sql': 'create table two (id bigint)' });
      const applied = (await Promise.all(all.map(({ db }) => migrate(db, folder)))).flat();
      expect(applied.sort()).toEqual(['0001_one', '0002_two']);
      expect((await sql`select id from one`.execute(first.db)).rows).toEqual([{ id: 9007199254740993n }]);
    });

    it('is atomic: a failed migration changes nothing', async () => {
      const { db } = await openNew('whole');
      const broken = folderWith({ ...ONE, '0002_two.sql': 'create table two (id bigint); select nonsense;' });
      await expect(migrate(db, broken)).rejects.toMatchObject({
        code: 'internal',
        message: expect.stringMatching(/0002_two.*nonsense/s),
      });
      const { rows } =
        await sql`select to_regclass('two') as two, (select count(*) from schema_migration) as count`.execute(
          db,
        );
      expect(rows).toEqual([{ two: null, count: 1n }]);
    });

    it('has the same checksums with Unix and Windows line endings', async () => {
      const { db } = await openNew('lines');
      await migrate(db, folderWith(ONE));
      const windows = { '0001_one.sql': ONE['0001_one.sql'].replaceAll('\n', '\r\n') };
      expect(await migrate(db, folderWith(windows))).toEqual([]);
    });

    it('is rejected if past migrations were changed', async () => {
      const { db } = await openNew('past');
      await migrate(db, folderWith(ONE));
      const changed = folderWith({ '0001_one.sql': `${ONE['0001_one.sql']} -- better` });
      await expect(migrate(db, changed)).rejects.toMatchObject({
        code: 'migration-changed',
        message: expect.stringContaining('0001_one'),
      });
    });

    it('is rejected by a version older than the database', async () => {
      const { db } = await openNew('older');
      await migrate(db, folderWith({ ...ONE, '0002_future.sql': 'create table future (id bigint)' }));
      await expect(migrate(db, folderWith(ONE))).rejects.toMatchObject({
        code: 'postgres-newer',
        message: expect.stringContaining('0002_future'),
      });
    });

    it.each([
      [{ '0002_two.sql': '' }],
      [{ ...ONE, '0003_three.sql': '' }],
      [{ ...ONE, '0001_two.sql': '' }],
      [{ 'one.sql': '' }],
    ])('is rejected for a folder without consecutive numbers from 1: %p', async (files) => {
      const { db } = open(server);
      await expect(migrate(db, folderWith(files))).rejects.toMatchObject({ name: 'InvariantViolation' });
    });
  });
});
