import { AppError, invariant, type TenantId } from '@app/kernel';
import {
  type Driver,
  Kysely,
  PostgresAdapter,
  type PostgresCursor,
  PostgresDriver,
  PostgresIntrospector,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  type PostgresQueryResult,
} from 'kysely';
import pg from 'pg';
import { checkedPool, GuardedDriver } from './checked-pool.js';
import { connectionFailure } from './failures.js';
import type { Listening } from './listening.js';
import { SilenceWatch } from './silence-watch.js';
import type { ReadModelTables } from './tables.js';
import { type Planning, TenantQuery } from './tenancy/tenant-query.js';

export type ReadModelDatabase = {
  readonly db: Kysely<ReadModelTables>;
  /**
   * Reads as a role that sees only the rows of one tenant: a query without a tenant condition finds too little, never
   * too much. One statement at a time; transactions are rejected.
   */
  readonly asTenant: (tenant: TenantId, planning?: Planning) => Kysely<ReadModelTables>;
  /**
   * Listens to a channel on a connection of its own until it is closed or ends.
   *
   * @throws {AppError} `postgres-unavailable`.
   */
  listen(channel: string, onMessage: (payload: string) => void, onEnd: () => void): Promise<Listening>;
  /** Waits for the queries under way, then closes the connections. May be repeated. */
  close(): Promise<void>;
};

const CONNECTIONS_MAX = 10;
const CONNECT_MAX_MS = 10_000;
/** With the silence before it, a worker that is cut off lets its work go within 15 s. */
const SIGN_OF_LIFE_MAX_MS = 10_000;
/** A stalled process keeps the locks of its transaction no longer; PostgreSQL ends its connection. */
const IDLE_IN_TRANSACTION_MAX_MS = 15_000;

/**
 * Opens a pool of connections to PostgreSQL 15 or newer, lazily.
 * A `bigint` column is a `bigint`, never a number; an array of them is an array of strings. A `date` is PostgreSQL's
 * text.
 * Errors: `postgres-unavailable` if the server is unreachable, rejects the login, or disconnects during a query
 * (whose outcome is then unknown); `disk-full`; all others are the driver's own. No error contains the password.
 *
 * @param url `postgres://user:password@host:port/database`, with the parameters that the `pg` package documents.
 *   @throws {AppError} `invalid-configuration` for any other URL.
 */
export const openDatabase = (url: string): ReadModelDatabase => {
  const server = nameOf(url);
  const parsers = types();
  const pool = new pg.Pool({
    connectionString: url,
    types: parsers,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MAX_MS,
    keepAlive: true,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MAX_MS,
    application_name: 'palimpsest',
  });
  // The pool replaces a broken connection, and a query on it fails by itself. The additional 'error' event would end
  // the process without a listener: the pool's for idle connections, the connection's own while in use.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const watch = new SilenceWatch(() => isThere(url));
  const db = queriesOn(
    () => new GuardedDriver(new PostgresDriver({ pool: checkedPool(pool, watch) }), server),
  );
  let closing: Promise<void> | undefined;
  return {
    db,
    asTenant: (tenant, planning = 'by-index') => {
      const own = checkedPool(
        pool,
        watch,
        (client) => new TenantClient(client, { tenant, planning }, parsers),
      );
      return queriesOn(() => new TenantDriver(new PostgresDriver({ pool: own }), server));
    },
    listen: (channel, onMessage, onEnd) => listen({ url, server, channel }, onMessage, onEnd),
    close: () => {
      closing ??= pool.end();
      return closing;
    },
  };
};

/** Whether the server answers on a new connection, be it with a rejection. */
const isThere = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: SIGN_OF_LIFE_MAX_MS });
  client.on('error', () => {}); // Without a listener, an error after the connection would end the process.
  try {
    await client.connect();
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  } finally {
    void client.end().catch(() => {});
  }
};

type Channel = { readonly url: string; readonly server: string; readonly channel: string };

const listen = async (
  { url, server, channel }: Channel,
  onMessage: (payload: string) => void,
  onEnd: () => void,
): Promise<Listening> => {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MAX_MS,
    keepAlive: true,
    application_name: 'palimpsest listener',
  });
  let isOver = false;
  const end = () => {
    if (!isOver) onEnd();
    isOver = true;
  };
  client.on('error', end);
  client.on('end', end);
  client.on('notification', ({ payload = '' }) => onMessage(payload));
  try {
    await client.connect();
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const close = async () => {
      isOver = true;
      await client.end().catch(() => {});
    };
    return { pid: rows[0]?.pid ?? 0, close };
  } catch (error) {
    isOver = true;
    await client.end().catch(() => {});
    throw connectionFailure(error, server);
  }
};

const queriesOn = (createDriver: () => Driver): Kysely<ReadModelTables> =>
  new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver,
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });

const types = (): InstanceType<typeof pg.TypeOverrides> => {
  const overrides = new pg.TypeOverrides();
  overrides.setTypeParser(pg.types.builtins.INT8, BigInt);
  overrides.setTypeParser(pg.types.builtins.DATE, String);
  return overrides;
};

/** Returns the URL without user and password, for errors. */
const nameOf = (url: string): string => {
  if (!URL.canParse(url) || !/^postgres(ql)?:$/.test(new URL(url).protocol)) {
    // The text itself is not shown: a mistyped URL holds a password all the same.
    throw new AppError(
      'invalid-configuration',
      'not a PostgreSQL URL: use postgres://user:password@host:port/name',
    );
  }
  const { host, pathname } = new URL(url);
  return `PostgreSQL at ${host}${pathname}`;
};

/** A connection that is asked for a tenant alone. */
class TenantClient implements PostgresPoolClient {
  constructor(
    private readonly client: pg.PoolClient,
    private readonly who: { readonly tenant: TenantId; readonly planning: Planning },
    private readonly types: pg.CustomTypesConfig,
  ) {}

  query<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(
    what: string | PostgresCursor<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    invariant(typeof what === 'string', 'a cursor outlives the transaction that a tenant is read in');
    return this.client.query(new TenantQuery<Row>(this.who, what, parameters, this.types)).result;
  }

  release(): void {
    this.client.release();
  }
}

/** Each statement is a transaction by itself: one that began here would go on as the reader. */
class TenantDriver extends GuardedDriver {
  override beginTransaction(): Promise<void> {
    return Promise.reject(new Error('a tenant is read one statement at a time'));
  }
}
