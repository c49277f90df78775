import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, openDatabase, type ReadModelDatabase } from '@app/adapters/read-model-postgres';
import { type SpawnedPostgres, spawnPostgres } from '@app/embedded-postgres';
import { sql } from 'kysely';
import { addCluster } from '../../../support/deployments/processes/data-folder.js';

const TABLES = {
  sessions: 'tenant, session',
  compactions: 'tenant, session, compaction',
  compaction_turns: 'tenant, session, compaction, turn',
  audit_events: 'position',
  audit_hours: 'tenant, hour',
  audit_sessions: 'tenant, session',
  audit_compactions: 'tenant, session, compaction',
  usage_by_day: 'tenant, day, model, profile',
  usage_by_session: 'tenant, session, day, model, profile',
  usage_sessions: 'tenant, session',
  usage_compactions: 'tenant, session, compaction',
  tenants: 'tenant',
  api_keys: 'key',
  audit_reads: 'position',
} as const;
export type TableName = keyof typeof TABLES;
type Row = Readonly<Record<string, unknown>>;
/** Every row of every table in a fixed order, and the checkpoints without times. */
export type Snapshot = Readonly<Record<TableName | 'checkpoints', readonly Row[]>>;

/** A real server with the schema. */
export class TestDatabase {
  private constructor(
    readonly database: ReadModelDatabase,
    readonly url: string,
    private readonly server: SpawnedPostgres,
    private readonly folder: string,
  ) {}

  static async start(): Promise<TestDatabase> {
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-'));
    await addCluster(folder);
    const server = await spawnPostgres({ dataDir: folder });
    const database = openDatabase(server.url);
    await migrate(database.db);
    return new TestDatabase(database, server.url, server, folder);
  }

  async stop(): Promise<void> {
    await this.database.close();
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Restores the state after the migrations. */
  async clear(): Promise<void> {
    await this.query(`truncate ${Object.keys(TABLES).map((name) => `read.${name}`)}`);
    await this.query('update read.projection_checkpoint set position = null, events = 0, updated_at = null');
    await this.query('truncate read.stopped_stream');
    await this.query('drop schema if exists read_rebuild cascade');
  }

  async query(text: string): Promise<readonly Row[]> {
    return (await sql.raw<Row>(text).execute(this.database.db)).rows;
  }

  /** Queries as the reader role, with or without a tenant. */
  queryAs(tenant: string | undefined, text: string): Promise<readonly Row[]> {
    return this.database.db.transaction().execute(async (trx) => {
      await sql`set local role palimpsest_reader`.execute(trx);
      if (tenant !== undefined)
        await sql`select set_config('palimpsest.tenant', ${tenant}, true)`.execute(trx);
      return (await sql.raw<Row>(text).execute(trx)).rows;
    });
  }

  table(name: TableName): Promise<readonly Row[]> {
    return this.query(`select * from read.${name} order by ${TABLES[name]}`);
  }

  async snapshot(): Promise<Snapshot> {
    return {
      sessions: await this.table('sessions'),
      compactions: await this.table('compactions'),
      compaction_turns: await this.table('compaction_turns'),
      audit_events: await this.table('audit_events'),
      audit_hours: await this.table('audit_hours'),
      audit_sessions: await this.table('audit_sessions'),
      audit_compactions: await this.table('audit_compactions'),
      usage_by_day: await this.table('usage_by_day'),
      usage_by_session: await this.table('usage_by_session'),
      usage_sessions: await this.table('usage_sessions'),
      usage_compactions: await this.table('usage_compactions'),
      tenants: await this.table('tenants'),
      api_keys: await this.table('api_keys'),
      audit_reads: await this.table('audit_reads'),
      checkpoints: await this.query(
        'select projection, position, events from read.projection_checkpoint order by projection',
      ),
    };
  }

  /** Terminates all other connections, as a restart of the server does. */
  async breakConnections(): Promise<void> {
    await this.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
  }
}
