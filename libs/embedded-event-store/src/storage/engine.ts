/**
 * The tables; `log/keys.ts` describes their keys. Journals identify a table by its index in this list: only append.
 */
export const TABLES = [
  'log',
  'revisions',
  'ids',
  'heads',
  'groups',
  'projections',
  'users',
  'about',
] as const;
export type Table = (typeof TABLES)[number];

/** One change of a transaction. Without `value` it removes the key. */
export type Put = { readonly table: Table; readonly key: Buffer; readonly value?: Buffer };

export type Scan = {
  /** First key, inclusive in both directions. */
  readonly from: Buffer;
  /** The end of the scan, exclusive in both directions. */
  readonly until?: Buffer;
  readonly backwards?: boolean;
  /** The maximum number of entries. */
  readonly limit: number;
  /** Ends the scan after values of this total size; returns at least one entry. */
  readonly bytesMax?: number;
};
export type Entry = { readonly key: Buffer; readonly value: Buffer };

/**
 * An ordered key-value store with durable transactions, the storage engine of the event log.
 *
 * Reads are synchronous and see the committed state; of a running commit they may see all entries but its heads. Callers
 * must not modify buffers that were passed to a commit or returned by a read.
 */
export interface Engine {
  get(table: Table, key: Buffer): Buffer | undefined;
  scan(table: Table, scan: Scan): Entry[];
  /**
   * Applies all changes or none, and resolves when they are on disk (synced). Calls must not overlap.
   * @throws {AppError} `disk-full`, or `internal` for any other fault; nothing is applied then.
   */
  commit(puts: readonly Put[]): Promise<void>;
  close(): Promise<void>;
}
