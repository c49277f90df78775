import type { Block, Role } from '../messages/message.js';
import type { PartRule, RetentionRule } from './shared.js';

/** An event after which the context begins anew. */
export type RetentionColumn = {
  readonly compactionId: string;
  readonly kind: 'compaction' | 'reset' | 'fork';
  readonly revision: number;
  readonly at: string;
  /** The turn in which it happened. */
  readonly turn: number;
  /** The transcript format of the agent that compacted; `null` for compactions of this service. */
  readonly importedFrom: string | null;
  readonly isReverted: boolean;
  readonly isInForce: boolean;
};
/** What a compaction recorded about a turn; `null` if an earlier summary stands for the turn, or it came later. */
export type RetentionCell = null | {
  readonly rule: RetentionRule;
  readonly toolOutputs: PartRule;
  readonly reasoning: PartRule;
};
export type RetentionRow = {
  readonly turn: number;
  /** First and last message. */
  readonly from: string;
  readonly to: string;
  readonly messages: number;
  /** Counted, as they were appended. */
  readonly tokens: number;
  /** One for each column. */
  readonly cells: readonly RetentionCell[];
};
export type RetentionMap = {
  readonly session: string;
  readonly revision: number;
  /** The session's newest turn. */
  readonly turns: number;
  readonly from: number;
  /** Oldest first. */
  readonly columns: readonly RetentionColumn[];
  /** Older columns that are not listed. */
  readonly omittedColumns: number;
  readonly rows: readonly RetentionRow[];
};
/** An original message with its place in the log. */
export type ListedMessage = {
  readonly id: string;
  readonly revision: number;
  readonly recordedAt: string;
  readonly role: Role;
  readonly synthetic?: 'continuation' | 'restated';
  readonly countedTokens: number;
  /** Absent for a key without `content:read`, with its name in `withheld`. */
  readonly content?: readonly Block[];
  readonly withheld?: readonly string[];
};
export type MessageWindow = {
  /** The session's newest revision. */
  readonly revision: number;
  readonly items: readonly ListedMessage[];
  /** `from` of the next window; `null` at the end of the session. */
  readonly next: number | null;
};
