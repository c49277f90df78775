import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { isServerAtFault } from './failures.js';

/**
 * A pool that never reuses a connection after the server disconnected. The driver itself notices only when the socket
 * closes, a moment after the query has failed.
 *
 * @param askedBy wraps a pool client for queries.
 */
export const checkedPool = (
  pool: pg.Pool,
  askedBy: (client: pg.PoolClient) => PostgresPoolClient = (client) => client,
): PostgresPool => ({
  connect: async () => {
    const client = await pool.connect();
    return new CheckedClient(askedBy(client), (isBroken) => client.release(isBroken));
  },
  end: () => pool.end(),
});

class CheckedClient implements PostgresPoolClient {
  #isBroken = false;

  constructor(
    private readonly inner: PostgresPoolClient,
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
    this.giveBack(this.#isBroken);
  }

  async #run<Row>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<Row>> {
    try {
      return await this.inner.query<Row>(sql, parameters);
    } catch (error) {
      this.#isBroken ||= isServerAtFault(error);
      throw error;
    }
  }
}
