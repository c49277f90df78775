/**
 * Counts tokens. Synchronous and linear in the length of any text: a megabyte of one character takes well under a
 * second. Never throws: special tokens are plain text.
 */
export interface TokenCounter {
  /** Vocabulary and version of the method, recorded beside every count. */
  readonly estimator: string;
  count(text: string): number;
  /**
   * Returns a counter with these texts counted in advance, large ones in worker threads, which tenants share in turn.
   * It keeps the counts for its own lifetime. Absent without threads.
   */
  ahead?(texts: readonly string[], tenant: string): Promise<TokenCounter>;
  /** Drops the texts whose counts are in memory. Absent where there are none. */
  forget?(): void;
}
