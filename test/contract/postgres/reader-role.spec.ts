import { migrate, openDatabase } from '@app/adapters/read-model-postgres';
import { spawnPostgres } from '@app/embedded-postgres';
import { asSuperuser, query, Started } from './support.js';

/** Guarantee: the service does not start on a server where it could not read as one tenant alone, and says what to do. */
describe('a server of one’s own without the role that tenants are read as', () => {
  const started = new Started();
  afterEach(() => started.end());

  /** The server of a folder whose roles somebody has changed since. */
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

  it('is refused where the service may not create it, with the statements to run', async () => {
    const url = await serverWith('DROP ROLE palimpsest_reader');
    await expect(migrated(url)).rejects.toMatchObject({
      code: 'invalid-configuration',
      message: expect.stringMatching(/create role palimpsest_reader nologin; grant palimpsest_reader to/),
    });
  });

  it('gets it where the service may create roles', async () => {
    const url = await serverWith('DROP ROLE palimpsest_reader', 'ALTER ROLE palimpsest CREATEROLE');
    expect(await migrated(url)).toBeGreaterThan(7);
    const role = "select set_config('role', 'palimpsest_reader', false) as role";
    expect(await query(url, role)).toEqual([{ role: 'palimpsest_reader' }]);
    expect(await migrated(url)).toBe(0);
  });

  it('is refused where the role may pass policies', async () => {
    const url = await serverWith('ALTER ROLE palimpsest_reader BYPASSRLS');
    await expect(migrated(url)).rejects.toMatchObject({
      code: 'invalid-configuration',
      message: expect.stringContaining('nobypassrls'),
    });
  });
});
