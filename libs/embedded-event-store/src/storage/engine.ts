/**
 * What is kept where; the keys of each are described in `log/keys.ts`. A journal that a crash has left names them by
 * their place in this list: add at its end.
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

/** One change of a transaction. Without a value the key is removed. */
export type Put = { readonly table: Table; readonly key: Buffer; readonly value?: Buffer };

export type Scan = {
  /** First key, inclusive in both directions. */
  readonly from: Buffer;
  /** Where to stop: the last key, exclusive in both directions. */
  readonly until?: Buffer;
  readonly backwards?: boolean;
  /** At most so many entries. */
  readonly limit: number;
  /** No more entries once the values have so many bytes together; there is one at least. */
  readonly bytesMax?: number;
};
export type Entry = { readonly key: Buffer; readonly value: Buffer };

/**
 * An ordered key-value store with durable transactions: all that the event log needs of a storage engine.
 *
 * Reads are synchronous and see exactly what is committed. Nobody changes a buffer that was given
 * to a commit or returned by a read.
 */
export interface Engine {
  get(table: Table, key: Buffer): Buffer | undefined;
  scan(table: Table, scan: Scan): Entry[];
  /**
   * Applies all or nothing, and resolves when it is on disk (synced), never before.
   * Calls must not overlap.
   *
   * @throws {AppError} `disk-full` where there is no room, `internal` for any other fault; nothing is applied then.
   */
  commit(puts: readonly Put[]): Promise<void>;
  close(): Promise<void>;
}
