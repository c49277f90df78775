import { migrate, openDatabase } from '@app/adapters/read-model-postgres';
import { spawnPostgres } from '@app/embedded-postgres';
import { asSuperuser, query, Started } from './support.js';

/** Guarantee: the service does not start on a server without a restricted reader role, and names the remedy. */
describe('external server without the reader role', () => {
  const started = new Started();
  afterEach(() => started.end());

  /** Returns a server whose roles were changed by `statements`. */
  const serverWith = async (...statements: readonly string[]) => {
    const dataDir = started.folder();
    const first = await started.server(spawnPostgres({ dataDir }));
    await first.stop();
    for (const statement of statements) asSuperuser(dataDir, statement);
    return (await started.server(spawnPostgres({ dataDir }))).url;
  };
  const migrated = async (url: string) => {
    const database = openDatabase(url);
    try {
      return (await migrate(database.db)).length;
    } finally {
      await database.close();
    }
  };

  it('is rejected with the statements to run if the service may not create the role', async () => {
    const url = await serverWith('DROP ROLE palimpsest_reader');
    await expect(migrated(url)).rejects.toMatchObject({
      code: 'invalid-configuration',
      message: expect.stringMatching(/create role palimpsest_reader nologin; grant palimpsest_reader to/),
    });
  });

  it('gets the role if the service may create it', async () => {
    const url = await serverWith('DROP ROLE palimpsest_reader', 'ALTER ROLE palimpsest CREATEROLE');
    expect(await migrated(url)).toBeGreaterThan(7);
    const role = "select set_config('role', 'palimpsest_reader', false) as role";
    expect(await query(url, role)).toEqual([{ role: 'palimpsest_reader' }]);
    expect(await migrated(url)).toBe(0);
  });

  it('is rejected if the role bypasses policies', async () => {
    const url = await serverWith('ALTER ROLE palimpsest_reader BYPASSRLS');
    await expect(migrated(url)).rejects.toMatchObject({
      code: 'invalid-configuration',
      message: expect.stringContaining('nobypassrls'),
    });
  });
});
