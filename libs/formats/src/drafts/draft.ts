import type { JsonObject } from '@app/kernel';
import type { TranscriptCompaction, TranscriptMessage, TranscriptPruning } from '../transcript.js';

/**
 * A session as a reader finds it: before it has an id that is valid, and unique in its file. `key` is the
 * reader's own name for it.
 */
export type DraftSession = {
  readonly key: string;
  /** The transcript's own id; derived from file name and first messages if absent. */
  readonly ownId?: string;
  /** For a side chain: its name within the parent session, whose id is `ownId`. */
  readonly chain?: { readonly name: string; readonly parentKey: string };
  /** The own id of the parent session, if it is in another file. */
  readonly parentOwnId?: string;
  /**
   * For a branch: its name within the session that it leaves, and the own id of its branching point; absent before
   * the first message.
   */
  readonly fork?: {
    readonly name: string;
    readonly fromKey: string;
    readonly behind: { readonly kind: 'message' | 'compaction'; readonly id: string } | undefined;
  };
  /** Distinguishes sessions without ids in one file. */
  readonly ordinal?: number;
  readonly model?: string;
  readonly window?: number;
  readonly system?: string;
  readonly tools?: readonly JsonObject[];
  readonly project?: string;
};

/** Returns the branching point after a message; the beginning without one. */
export const behindMessage = (id: string | undefined): NonNullable<DraftSession['fork']>['behind'] =>
  id === undefined ? undefined : { kind: 'message', id };

/** A message with the transcript's own id, if it has one. */
export type DraftMessage = Omit<TranscriptMessage, 'id' | 'inserted'> & { readonly id?: string };

/** A compaction with the transcript's own ids. */
export type DraftCompaction = Omit<TranscriptCompaction, 'id'> & { readonly id?: string };

/** The output of a format's reader. */
export type Draft =
  | { readonly kind: 'session'; readonly session: DraftSession }
  | { readonly kind: 'message'; readonly key: string; readonly message: DraftMessage }
  | { readonly kind: 'compaction'; readonly key: string; readonly compaction: DraftCompaction }
  | { readonly kind: 'pruning'; readonly key: string; readonly pruning: TranscriptPruning }
  /** The name that the user has given the session; it may come before the session. */
  | { readonly kind: 'title'; readonly key: string; readonly title: string }
  | { readonly kind: 'skipped'; readonly line: number; readonly reason: string };
