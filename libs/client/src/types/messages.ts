import type { TranscriptFormat } from './names.js';
import type { BudgetBanner } from './requests.js';
import type { BudgetState, PinKind, Profile } from './shared.js';

/** A session after its import; the counts are of the whole session, whichever import brought it in. */
export type ImportedSession = {
  readonly session: string;
  readonly format: TranscriptFormat;
  readonly messages: number;
  readonly turns: number;
  readonly toolCalls: number;
  /** Estimated, of all messages ever appended. */
  readonly tokens: number;
  readonly compactions: number;
};
export type SkippedLine = { readonly line: number; readonly reason: string };
export type ConversationAppended = {
  readonly appended: number;
  /** What the session had at its end already. */
  readonly known: number;
  readonly messages: number;
  readonly turn: number;
  readonly occupancy: number;
  readonly window: number;
  readonly state: BudgetState;
  /** The compaction that is asked for or under way: to be waited for before the next request. */
  readonly compactionId: null | string;
  /** What is to be shown beside the session; `null` while there is nothing to tell. */
  readonly banner: null | BudgetBanner;
};
export type UsageTaken = {
  /** Whether it was recorded: a second bill for one request is not. */
  readonly recorded: boolean;
  /** The request that it pays for; `null` where none of this session's is known. */
  readonly requestId: null | string;
  /** Whether it says how large the context is, or counts for cost alone; `null` where it was not recorded. */
  readonly countsFor: 'occupancy' | 'cost' | null;
  /** Billed tokens of the next request. */
  readonly occupancy: number;
  readonly window: number;
  readonly state: BudgetState;
};
export type CompletedTurn = {
  readonly revision?: number;
  readonly turn: number;
  /** `false` where none was going on. */
  readonly completed: boolean;
  /** The compaction that has waited for the end of the turn, and is asked for now. */
  readonly compactionId?: string;
};
export type Settings = {
  readonly profile: Profile;
  readonly window: number;
  readonly model: string;
  readonly title: null | string;
  readonly project: null | string;
  readonly labels: { readonly [name: string]: string };
  /** Names of what this call has changed. */
  readonly changed: readonly string[];
};
export type Pin = {
  readonly pinId: string;
  readonly kind: PinKind;
  readonly text: string;
  /** Of the text in the form in which requests carry it. */
  readonly tokens: number;
};
export type Forked = {
  readonly session: string;
  readonly from: { readonly sessionId: string; readonly revision: number };
  readonly messages: number;
  readonly occupancy: number;
};
export type Released = {
  /** `false` where nothing was held. */
  readonly released: boolean;
  /** The compaction that has waited for that, and is asked for now. */
  readonly compactionId?: string;
};
export type ImportResult = {
  readonly sessions: readonly ImportedSession[];
  /** Lines that could not be used: the first 1,000 of them. */
  readonly skipped: readonly SkippedLine[];
  /** How many could not be used in all. */
  readonly skippedLines: number;
};
