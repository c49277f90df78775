/** What a stage does; the profile says which ones run, and in which order. */
export type StageName = 'drop-tool-outputs' | 'summarize';

/**
 * A named, complete policy. It is data: no profile has code of its own, and a session records every field of
 * the one that it was opened with, so that a later edition of the profile changes no past.
 */
export type Profile = {
  readonly name: string;
  readonly description: string;
  /** `authorized` compacts only on the user's word; `automatic` when a threshold is crossed. */
  readonly mode: 'automatic' | 'authorized';
  /** Shares of the window at which the states begin, and the automatic trigger. */
  readonly warnAt: number;
  readonly triggerAt: number;
  readonly requireAt: number;
  readonly blockAt: number;
  /** A compaction aims at this share of its trigger … */
  readonly targetShare: number;
  /** … and must leave at most this share of what there was before. */
  readonly gainShare: number;
  /** The newest turns that stay word for word. */
  readonly keepRecentTurns: number;
  /** `yields`: where the protected turns alone exceed the target they shrink; `strict`: the compaction is refused. */
  readonly protection: 'yields' | 'strict';
  /** Tokens reserved for the answer: at most this many, and at most this share of the window. */
  readonly outputCap: number;
  readonly outputShare: number;
  /** Size of a summary: at most this many tokens, and at most this share of the window. */
  readonly summaryTokensMax: number;
  readonly summaryShare: number;
  readonly stages: readonly StageName[];
  /** What becomes of tool outputs outside the protected turns. */
  readonly toolOutputs: 'summarized' | 'dropped';
  /** What becomes of reasoning outside the protected turns. */
  readonly reasoning: 'summarized' | 'dropped';
  readonly summarizer: 'extractive';
  /** Tries of one compaction before it is given up. */
  readonly attemptsMax: number;
  /** Compactions that fail in a row before automatic ones stop until there is something new. */
  readonly breakerAfter: number;
  /** What to believe where nobody knows the model's window: these many tokens, said aloud; or no session at all. */
  readonly unknownWindow: number | 'refuse';
};
