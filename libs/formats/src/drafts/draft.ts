import type { JsonObject } from '@app/kernel';
import type { TranscriptCompaction, TranscriptMessage, TranscriptPruning } from '../transcript.js';

/**
 * A session as a reader finds it: before it has an id that is valid, and unique in its file. `key` is the
 * reader's own name for it.
 */
export type DraftSession = {
  readonly key: string;
  /** What the transcript calls it; it is derived from the file's name and first messages where absent. */
  readonly ownId?: string;
  /** Where it is a side chain: its name within the session that started it. `ownId` is then that session's. */
  readonly chain?: { readonly name: string; readonly parentKey: string };
  /** What the transcript calls the session that has started it, where that is another file's. */
  readonly parentOwnId?: string;
  /**
   * Where it is a branch: its name within the session that it leaves, and by its own id what it leaves that behind; none
   * where it does so before its first message.
   */
  readonly fork?: {
    readonly name: string;
    readonly fromKey: string;
    readonly behind: { readonly kind: 'message' | 'compaction'; readonly id: string } | undefined;
  };
  /** Tells sessions apart that stand in one file and have no ids. */
  readonly ordinal?: number;
  readonly model?: string;
  readonly window?: number;
  readonly system?: string;
  readonly tools?: readonly JsonObject[];
  readonly project?: string;
};

/** What a branch leaves behind a message; the beginning where there is none. */
export const behindMessage = (id: string | undefined): NonNullable<DraftSession['fork']>['behind'] =>
  id === undefined ? undefined : { kind: 'message', id };

/** A message whose id is the transcript's own, if it has one, as it stands there. */
export type DraftMessage = Omit<TranscriptMessage, 'id' | 'inserted'> & { readonly id?: string };

/** A compaction whose ids, and those that it names, are the transcript's own. */
export type DraftCompaction = Omit<TranscriptCompaction, 'id'> & { readonly id?: string };

/** What the reader of a format yields. */
export type Draft =
  | { readonly kind: 'session'; readonly session: DraftSession }
  | { readonly kind: 'message'; readonly key: string; readonly message: DraftMessage }
  | { readonly kind: 'compaction'; readonly key: string; readonly compaction: DraftCompaction }
  | { readonly kind: 'pruning'; readonly key: string; readonly pruning: TranscriptPruning }
  /** The name that the user has given the session; it may come before the session. */
  | { readonly kind: 'title'; readonly key: string; readonly title: string }
  | { readonly kind: 'skipped'; readonly line: number; readonly reason: string };
