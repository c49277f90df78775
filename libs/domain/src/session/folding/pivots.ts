import { type CompactionId, Tokens } from '@app/kernel';
import { NO_FILE_OPERATIONS } from '../../compaction/file-operations.js';
import type { Cut, SessionEvent } from '../events.js';
import type { OpeningState } from '../recorded/opening-state.js';
import type { Pivot } from '../state.js';
import type { Placed } from './placed.js';

/** An event with which a context begins anew: nothing before its cut is ever read again. */
export type PivotEvent = Extract<
  SessionEvent,
  { readonly type: 'CompactionCompleted' | 'SessionReset' | 'SessionForked' }
>;

export const isPivotEvent = (event: SessionEvent): event is PivotEvent =>
  event.type === 'CompactionCompleted' || event.type === 'SessionReset' || event.type === 'SessionForked';

/** What all pivots have in common. A reset leaves no summary and retains nothing but what it carries. */
export type PivotFacts = Omit<Pivot, 'revision' | 'turn'> & {
  readonly attempt: number;
  /** Whether nobody had asked for it. */
  readonly isAutomatic: boolean;
  /** Whether a provider had refused a request as too large. */
  readonly isForOverflow: boolean;
  readonly cut: Cut | undefined;
  readonly opening: OpeningState;
};

export const pivotFactsOf = (event: PivotEvent): PivotFacts => {
  switch (event.type) {
    case 'CompactionCompleted': {
      const { compactionId, attempt, summary, summaryTokens, cut, retention, fileOperations, opening } =
        event.data;
      return {
        kind: 'compaction',
        compactionId,
        attempt,
        isAutomatic: event.data.trigger !== 'explicit',
        isForOverflow: event.data.trigger === 'overflow',
        summary,
        summaryTokens,
        cut,
        retention,
        fileOperations,
        opening,
      };
    }
    case 'SessionForked': {
      const { compactionId, summary, summaryTokens, cut, retention, fileOperations, opening } = event.data;
      const facts = { summary, summaryTokens, retention, fileOperations, opening };
      const nobody = { attempt: 0, isAutomatic: false, isForOverflow: false };
      return { kind: 'fork', compactionId, ...nobody, ...facts, cut: cut ?? undefined };
    }
    case 'SessionReset': {
      const { compactionId, opening } = event.data;
      const nothing = { summary: null, summaryTokens: Tokens(0), cut: undefined, retention: [] };
      return {
        kind: 'reset',
        compactionId,
        attempt: 0,
        isAutomatic: false,
        isForOverflow: false,
        ...nothing,
        fileOperations: NO_FILE_OPERATIONS,
        opening,
      };
    }
  }
};

/**
 * A stream as it would be had the compactions that were reverted in it never been: what a context is folded from.
 * The events that say so stay.
 */
export const withoutReverted = (
  stream: readonly Placed[],
  reverted: ReadonlySet<CompactionId> = revertedIn(stream),
): readonly Placed[] => {
  if (reverted.size === 0) return stream;
  return stream.filter(({ event }) => {
    const ends = isPivotEvent(event) || event.type === 'CompactionApplied';
    return !ends || !reverted.has(event.data.compactionId);
  });
};

const revertedIn = (stream: readonly Placed[]): ReadonlySet<CompactionId> =>
  new Set(
    stream.flatMap(({ event }) => (event.type === 'CompactionReverted' ? [event.data.compactionId] : [])),
  );
