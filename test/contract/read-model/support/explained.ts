import { openReadModels, type ReadModelDatabase } from '@app/adapters/read-model-postgres';
import type { ReadModels } from '@app/ports';
import { CompiledQuery, type KyselyPlugin, type QueryId, type RootOperationNode } from 'kysely';

type Asking = Parameters<ReadModelDatabase['asTenant']>;
type Asked = { readonly asking: Asking; readonly node: RootOperationNode; readonly queryId: QueryId };
/** A step of a plan that reads a table or an index of it, or that sorts. */
export type Access = {
  readonly kind: string;
  readonly relation: string;
  readonly condition: string;
};

/** Read models that remember what they asked for a tenant, so that PostgreSQL can be asked how it answers that. */
export class Explained {
  readonly models: ReadModels;
  readonly #asked: Asked[] = [];

  constructor(private readonly database: ReadModelDatabase) {
    const listening = (asking: Asking): KyselyPlugin => ({
      transformQuery: ({ node, queryId }) => {
        this.#asked.push({ asking, node, queryId });
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const asTenant = (...asking: Asking) => database.asTenant(...asking).withPlugin(listening(asking));
    this.models = openReadModels({ ...database, asTenant });
  }

  /** How everything that was asked since the last time gets at its rows, policies included. */
  async accesses(): Promise<readonly Access[]> {
    const found: Access[] = [];
    for (const { asking, node, queryId } of this.#asked.splice(0)) {
      const own = this.database.asTenant(...asking).withSchema('read');
      const executor = own.getExecutor();
      const { sql, parameters } = executor.compileQuery(executor.transformQuery(node, queryId), queryId);
      const explain = CompiledQuery.raw(`explain (format json) ${sql}`, [...parameters]);
      const { rows } = await own.executeQuery<{ readonly 'QUERY PLAN': readonly { Plan: Step }[] }>(explain);
      for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) found.push(...accessesIn(Plan));
    }
    return found;
  }
}

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
