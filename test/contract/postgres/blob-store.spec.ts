import { createHash, randomBytes } from 'node:crypto';
import { PostgresBlobStore } from '@app/adapters/blobs-postgres';
import { migrate, openDatabase, type ReadModelDatabase } from '@app/adapters/read-model-postgres';
import { type SpawnedPostgres, spawnPostgres } from '@app/embedded-postgres';
import { sql } from 'kysely';
import { Started } from './support.js';

const MIB = 1024 * 1024;

describe('PostgreSQL blob store', () => {
  const started = new Started();
  let dataDir: string;
  let server: SpawnedPostgres;
  let database: ReadModelDatabase;
  let store: PostgresBlobStore;
  const start = async (): Promise<void> => {
    server = await started.server(spawnPostgres({ dataDir }));
    database = openDatabase(server.url);
    store = new PostgresBlobStore(database.db);
  };
  beforeAll(async () => {
    dataDir = started.folder();
    await start();
    await migrate(database.db);
  });
  afterAll(async () => {
    await database.close();
    await started.end();
  });
  const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');
  const count = async (): Promise<unknown> =>
    (await sql`select count(*) from blob`.execute(database.db)).rows;

  // Sizes around one chunk and well above: 4 MiB are sent at once.
  it.each([0, 1, 4 * MIB - 1, 4 * MIB, 4 * MIB + 1, 33 * MIB + 7])(
    'returns %p bytes unchanged',
    async (size) => {
      const content = randomBytes(size);
      const reference = await store.put(content, 'application/octet-stream');
      expect(reference).toEqual({ digest: sha256(content), size, mediaType: 'application/octet-stream' });
      const found = await store.get(reference.digest);
      expect(sha256(found)).toBe(reference.digest);
      expect(found).toHaveLength(size);
    },
  );

  it('stores equal contents once, under any name and media type', async () => {
    const content = randomBytes(5 * MIB);
    const first = await store.put(content, 'text/plain');
    const before = await count();
    const second = await store.put(new Uint8Array(content), 'application/json');
    expect(second).toEqual({ ...first, mediaType: 'application/json' });
    expect(await count()).toEqual(before);
  });

  it('stores equal concurrent contents once', async () => {
    const content = randomBytes(5 * MIB);
    const references = await Promise.all([1, 2, 3, 4].map(() => store.put(content, 'text/plain')));
    expect(new Set(references.map(({ digest }) => digest)).size).toBe(1);
    expect(sha256(await store.get(sha256(content)))).toBe(sha256(content));
  });

  it('stores only the visible part of a larger buffer', async () => {
    const view = randomBytes(64).subarray(16, 48);
    const { digest, size } = await store.put(view, 'application/octet-stream');
    expect(size).toBe(32);
    expect(Buffer.from(await store.get(digest)).equals(view)).toBe(true);
  });

  it.each(['0'.repeat(64), '', 'ABC', "' or true --"])(
    'reports an unknown digest %p as missing',
    async (digest) => {
      await expect(store.get(digest)).rejects.toMatchObject({
        code: 'corrupt-event',
        message: expect.stringContaining(digest),
      });
    },
  );

  it('lets the database reject a wrong digest', async () => {
    const lie = sql`insert into blob (digest, media_type, size, content)
      values (sha256('truth'), 'text/plain', 3, 'lie')`;
    await expect(lie.execute(database.db)).rejects.toMatchObject({ constraint: 'blob_digest_is_true' });
  });

  it('rejects content that was changed in the database', async () => {
    const { digest } = await store.put(randomBytes(100), 'text/plain');
    await sql`alter table blob drop constraint blob_digest_is_true`.execute(database.db);
    await sql`alter table blob disable trigger user`.execute(database.db);
    await sql`update blob set content = set_byte(content, 7, get_byte(content, 7) # 1)
      where digest = decode(${digest}, 'hex')`.execute(database.db);
    await expect(store.get(digest)).rejects.toMatchObject({
      code: 'corrupt-event',
      message: expect.stringContaining(digest),
    });
  });

  it('rejects content above PostgreSQL’s limit before sending it', async () => {
    // Untouched memory costs nothing.
    await expect(store.put(new Uint8Array(1_000_000_001), 'text/plain')).rejects.toMatchObject({
      code: 'append-too-large',
    });
  });

  it('has stored acknowledged contents after the server is killed', async () => {
    const content = randomBytes(6 * MIB);
    const { digest } = await store.put(content, 'text/plain');
    process.kill(server.pid, 'SIGKILL');
    await server.exited;
    await expect(store.get(digest)).rejects.toMatchObject({ code: 'postgres-unavailable' });
    await database.close();

    await start();
    expect(sha256(await store.get(digest))).toBe(digest);
  });
});
