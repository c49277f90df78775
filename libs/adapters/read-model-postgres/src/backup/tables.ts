import { type Kysely, sql } from 'kysely';
import type { ReadModelTables } from '../tables.js';

/** A table of a backup; its name with its schema. */
export type BackedUpTable = {
  readonly name: string;
  /** Whether it has a column `position`: a place in the log, which another log has elsewhere. */
  readonly hasPosition: boolean;
  /** The tables that its rows refer to. */
  readonly refersTo: readonly string[];
};

/** Keys of content, which a backup keeps apart. */
const KEYS_SCHEMA = 'keys';
/**
 * Tables without a place in a backup: rows of the schema `read` are rebuilt from the log, contents of `blob` are files of their own,
 * queues of webhooks follow from deliveries, answers to idempotent requests may hold content in clear, a witness with an older state
 * could cosign two trees with one key, and the others are about running processes.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'public.schema_migration',
  'public.blob',
  'public.idempotency_key',
  'public.lock_beat',
  'public.restore_run',
  'public.webhook_queue',
  'keys.process',
  'transparency.witness_key',
  'transparency.witnessed_log',
]);

/** Returns the tables that cannot be rebuilt from the log, referenced tables first. */
export const tablesToBackUp = async (
  db: Kysely<ReadModelTables>,
  part: 'state' | 'keys',
): Promise<readonly BackedUpTable[]> => {
  const { rows } = await sql<{ schema: string; name: string; has_position: boolean; refers_to: string[] }>`
    select n.nspname as schema, n.nspname || '.' || c.relname as name,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'position'
        and a.atttypid = 'bigint'::regtype and not a.attisdropped) as has_position,
      array(select fn.nspname || '.' || f.relname from pg_constraint k
        join pg_class f on f.oid = k.confrelid join pg_namespace fn on fn.oid = f.relnamespace
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid) as refers_to
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'
      and n.nspname not in ('read', 'read_rebuild')
    order by 2`.execute(db);
  const tables = rows
    .filter(({ schema, name }) => (schema === KEYS_SCHEMA) === (part === 'keys') && !LEFT_OUT.has(name))
    .map(({ name, has_position, refers_to }) => ({ name, hasPosition: has_position, refersTo: refers_to }));
  return ordered(tables);
};

/** References of these tables have no circles. */
const ordered = (tables: readonly BackedUpTable[]): readonly BackedUpTable[] => {
  const done: BackedUpTable[] = [];
  const isDone = (name: string): boolean => done.some((table) => table.name === name);
  let left = tables;
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name));
    const next = left.filter(({ refersTo }) => refersTo.every((name) => isDone(name) || !names.has(name)));
    done.push(...(next.length > 0 ? next : left));
    left = next.length > 0 ? left.filter((table) => !next.includes(table)) : [];
  }
  return done;
};

/** Returns the name of a table as SQL; it comes from the catalogue of the database. */
export const tableRef = (name: string) => {
  const [schema = '', table = ''] = name.split('.');
  return sql.id(schema, table);
};
