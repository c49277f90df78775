/**
 * Counts tokens. Synchronous and linear in the length of any text: a megabyte of one character takes well under a
 * second. Never throws: special tokens are plain text.
 */
export interface TokenCounter {
  /** Vocabulary and version of the method, recorded beside every count. */
  readonly estimator: string;
  count(text: string): number;
  /**
   * A counter that has counted these texts already, large ones away from the event loop, where tenants take turns. Holds them
   * as long as it is held. Absent where there are no threads to count in.
   */
  ahead?(texts: readonly string[], tenant: string): Promise<TokenCounter>;
}
