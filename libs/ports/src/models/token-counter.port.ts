/**
 * Counts tokens. Synchronous and linear in the length of the text, whatever the text is: a megabyte of one
 * character takes well under a second. Never throws: special tokens are plain text here.
 */
export interface TokenCounter {
  /** What counted, as it is recorded beside every count: vocabulary and version of the method. */
  readonly estimator: string;
  count(text: string): number;
  /**
   * A counter that has counted these texts already, large ones away from the event loop, where tenants take turns. Holds them
   * as long as it is held. Absent where there are no threads to count in.
   */
  ahead?(texts: readonly string[], tenant: string): Promise<TokenCounter>;
}
