import { openReadModels, type ReadModelDatabase } from '@app/adapters/read-model-postgres';
import type { ReadModels } from '@app/ports';
import { memoryDigests } from '@app/testing';
import {
  CompiledQuery,
  type DatabaseConnection,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';

type Asking = Parameters<ReadModelDatabase['asTenant']>;
type Asked = { readonly asking: Asking; readonly query: CompiledQuery };
/** A plan step that reads a table or its index, or that sorts. */
export type Access = {
  readonly kind: string;
  readonly relation: string;
  readonly condition: string;
};

/** Read models that record their queries for a tenant, to explain them. */
export class Explained {
  readonly models: ReadModels;
  readonly #asked: Asked[] = [];

  constructor(private readonly database: ReadModelDatabase) {
    const asTenant = (...asking: Asking) =>
      listening(database.asTenant(...asking), (query) => this.#asked.push({ asking, query }));
    this.models = openReadModels({ ...database, asTenant }, memoryDigests);
  }

  /** Returns how all queries since the last call access their rows, including policies. */
  async accesses(): Promise<readonly Access[]> {
    const found: Access[] = [];
    for (const { asking, query } of this.#asked.splice(0)) {
      const explain = CompiledQuery.raw(`explain (format json) ${query.sql}`, [...query.parameters]);
      const own = this.database.asTenant(...asking);
      const { rows } = await own.executeQuery<{ readonly 'QUERY PLAN': readonly { Plan: Step }[] }>(explain);
      for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) found.push(...accessesIn(Plan));
    }
    return found;
  }
}

/** Wraps a database to report each statement with its parameters. */
const listening = <Tables>(inner: Kysely<Tables>, told: (query: CompiledQuery) => void): Kysely<Tables> => {
  class Connection implements DatabaseConnection {
    executeQuery<Row>(query: CompiledQuery) {
      told(query);
      return inner.executeQuery<Row>(CompiledQuery.raw(query.sql, [...query.parameters]));
    }
    streamQuery(): never {
      throw new Error('a tenant is not read by cursors');
    }
  }
  class Driver extends DummyDriver {
    override async acquireConnection(): Promise<DatabaseConnection> {
      return new Connection();
    }
  }
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new Driver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
};

type Step = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Step[];
};

const accessesIn = (step: Step): readonly Access[] => {
  const { 'Node Type': kind, 'Relation Name': relation = '', 'Index Cond': condition = '' } = step;
  const inner = (step.Plans ?? []).flatMap(accessesIn);
  return /(?:Scan|Sort)$/.test(kind) ? [{ kind, relation, condition }, ...inner] : inner;
};
