import type {
  CompiledQuery,
  DatabaseConnection,
  Driver,
  PostgresCursor,
  PostgresPool,
  PostgresPoolClient,
  PostgresQueryResult,
  QueryResult,
  TransactionSettings,
} from 'kysely';
import type pg from 'pg';
import { connectionFailure, isServerAtFault, queryFailure } from './failures.js';
import type { SilenceWatch } from './silence-watch.js';

/**
 * A pool that never reuses a connection after the server disconnected or fell silent. The driver itself notices the
 * former only when the socket closes, a moment after the query has failed, and the latter not at all.
 *
 * @param askedBy wraps a pool client for queries.
 */
export const checkedPool = (
  pool: pg.Pool,
  watch: SilenceWatch,
  askedBy: (client: pg.PoolClient) => PostgresPoolClient = (client) => client,
): PostgresPool => ({
  connect: async () => {
    const client = await pool.connect();
    return new CheckedClient(askedBy(client), watch, (isBroken) => client.release(isBroken));
  },
  end: () => pool.end(),
});

class CheckedClient implements PostgresPoolClient {
  #isBroken = false;
  #isReleased = false;

  constructor(
    private readonly inner: PostgresPoolClient,
    private readonly watch: SilenceWatch,
    private readonly giveBack: (isBroken: boolean) => void,
  ) {}

  query<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  query<Row>(
    what: string | PostgresCursor<Row>,
    parameters: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    return typeof what === 'string' ? this.#run<Row>(what, parameters) : this.inner.query(what);
  }

  release(): void {
    if (!this.#isReleased) this.giveBack(this.#isBroken);
    this.#isReleased = true;
  }

  async #run<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    try {
      return await this.watch.during(this.inner.query<Row>(sql, parameters), () => this.#cut());
    } catch (error) {
      this.#isBroken ||= isServerAtFault(error);
      throw error;
    }
  }

  /** The pool closes a connection that is broken, and the driver rejects its query and all later ones. */
  #cut(): void {
    this.#isBroken = true;
    this.release();
  }
}

/** A driver that converts failures caused by the server. */
export class GuardedDriver implements Driver {
  constructor(
    private readonly inner: Driver,
    private readonly server: string,
  ) {}

  init(): Promise<void> {
    return this.inner.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    try {
      return new GuardedConnection(await this.inner.acquireConnection(), this.server);
    } catch (error) {
      throw connectionFailure(error, this.server);
    }
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return this.inner.beginTransaction(connection, settings);
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.inner.commitTransaction(connection);
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return this.inner.rollbackTransaction(connection);
  }

  // The driver needs its own connection object, not the wrapper.
  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return this.inner.releaseConnection(
      connection instanceof GuardedConnection ? connection.inner : connection,
    );
  }

  destroy(): Promise<void> {
    return this.inner.destroy();
  }
}

class GuardedConnection implements DatabaseConnection {
  constructor(
    readonly inner: DatabaseConnection,
    private readonly server: string,
  ) {}

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      return await this.inner.executeQuery<Row>(query);
    } catch (error) {
      throw queryFailure(error, this.server);
    }
  }

  async *streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    try {
      yield* this.inner.streamQuery<Row>(query, chunkSize);
    } catch (error) {
      throw queryFailure(error, this.server);
    }
  }
}
