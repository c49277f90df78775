import { openReadModels, type ReadModelDatabase } from '@app/adapters/read-model-postgres';
import type { ReadModels } from '@app/ports';
import { CompiledQuery, type KyselyPlugin, type QueryId, type RootOperationNode, sql } from 'kysely';

type Node = { readonly node: RootOperationNode; readonly queryId: QueryId };
/** A step of a plan that reads a table, or an index of it. */
export type Access = {
  readonly kind: string;
  readonly relation: string;
  readonly condition: string;
};

/** Read models that remember what they asked, so that PostgreSQL can be asked how it answers that. */
export class Explained {
  readonly models: ReadModels;
  readonly #asked: Node[] = [];

  constructor(private readonly database: ReadModelDatabase) {
    const listening: KyselyPlugin = {
      transformQuery: ({ node, queryId }) => {
        this.#asked.push({ node, queryId });
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    this.models = openReadModels({ ...database, db: database.db.withPlugin(listening) });
  }

  /** How everything that was asked since the last time gets at its rows. */
  async accesses(): Promise<readonly Access[]> {
    const found: Access[] = [];
    await this.database.db.transaction().execute(async (connection) => {
      await sql`set local search_path to read`.execute(connection);
      for (const { node, queryId } of this.#asked.splice(0)) {
        const query = connection.getExecutor().compileQuery(node, queryId);
        const { sql: text, parameters } = query;
        if (text.startsWith('select set_config(')) {
          await connection.executeQuery(query); // What policies let pass is part of the plans that follow.
          continue;
        }
        const explain = CompiledQuery.raw(`explain (format json) ${text}`, [...parameters]);
        const { rows } = await connection.executeQuery<{ readonly 'QUERY PLAN': readonly { Plan: Step }[] }>(
          explain,
        );
        for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) found.push(...accessesIn(Plan));
      }
    });
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
  return /Scan$/.test(kind) ? [{ kind, relation, condition }, ...inner] : inner;
};
