import { invariant, type TenantId } from '@app/kernel';
import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely';
import type pg from 'pg';
import { GuardedDriver } from '../guarded-driver.js';
import { type Planning, TenantQuery } from './tenant-query.js';

/** A connection that is asked for a tenant alone. */
export class TenantClient implements PostgresPoolClient {
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
export class TenantDriver extends GuardedDriver {
  override beginTransaction(): Promise<void> {
    return Promise.reject(new Error('a tenant is read one statement at a time'));
  }
}
