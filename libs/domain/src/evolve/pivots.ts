import { type CompactionId, type MessageId, type Revision, Tokens } from '@app/kernel';
import { NO_FILE_OPERATIONS } from '../compaction/files/index.js';
import { type Cut, type EventData, isAskedFor, type SessionEvent } from '../session/events.js';
import type { OpeningState } from '../session/recorded/opening-state.js';
import type { Pivot } from '../session/state.js';

/**
 * Events that replace the context: no event before their cut is read again. A compaction whose summary was erased with
 * a subject replaces nothing any more: its remaining messages are in the context again.
 */
export type PivotEvent = Extract<
  SessionEvent,
  { readonly type: 'CompactionCompleted' | 'SessionReset' | 'SessionForked' }
>;

export const isPivotEvent = (event: SessionEvent): event is PivotEvent =>
  (event.type === 'CompactionCompleted' && event.data.erased?.scope !== 'subject') ||
  event.type === 'SessionReset' ||
  event.type === 'SessionForked';

/** The common facts of all pivots. A reset has no summary and retains only carried content. */
export type PivotFacts = Omit<Pivot, 'revision' | 'turn'> & {
  readonly attempt: number;
  /** Messages since its start, which it does not cover. */
  readonly messagesDuringRun: number;
  /** Whether it was automatic. */
  readonly isAutomatic: boolean;
  /** Whether a provider had refused a request as too large. */
  readonly isForOverflow: boolean;
  readonly cut: Cut | undefined;
  readonly opening: OpeningState;
};

export const pivotFactsOf = (event: PivotEvent): PivotFacts => {
  switch (event.type) {
    case 'CompactionCompleted': {
      const { compactionId, attempt, cut, retention } = event.data;
      const { fileOperations, opening } = event.data;
      return {
        kind: 'compaction',
        compactionId,
        attempt,
        messagesDuringRun: event.data.messagesDuringRun ?? 0,
        isAutomatic: !isAskedFor(event.data.trigger) && !event.data.imported,
        isForOverflow: event.data.trigger === 'overflow',
        at: event.data.completedAt,
        ran: { attempt, worker: event.data.worker, usage: event.data.usage, cost: event.data.cost },
        ...summaryIn(event.data),
        countedSaved: opening.countedSaved ?? Tokens(0),
        cut: cut ?? undefined,
        retention,
        fileOperations,
        opening,
      };
    }
    case 'SessionForked': {
      const { compactionId, cut, retention, fileOperations, opening } = event.data;
      const facts = { ...summaryIn(event.data), retention, fileOperations, opening };
      const at = opening.opened.openedAt;
      return { kind: 'fork', compactionId, ...MADE_BY_NOBODY, at, ...facts, cut: cut ?? undefined };
    }
    case 'SessionReset': {
      const { compactionId, opening, at } = event.data;
      const none = { summary: null, summaryTokens: Tokens(0), reinjected: [], quotes: undefined };
      const nothing = { ...none, cut: undefined, retention: [], fileOperations: NO_FILE_OPERATIONS };
      return { kind: 'reset', compactionId, ...MADE_BY_NOBODY, at, ...nothing, opening };
    }
  }
};

type SummaryFacts = Pick<
  PivotFacts,
  'summary' | 'summaryTokens' | 'reinjected' | 'quotes' | 'subjects' | 'erased'
>;

/** An erased summary is none: no record of it is in any context. */
const summaryIn = ({
  summary,
  summaryTokens,
  reinjected = [],
  quotes,
  subjects,
  erased,
}: SummaryGiven): SummaryFacts =>
  erased
    ? { summary: null, summaryTokens: Tokens(0), reinjected: [], quotes: undefined, erased }
    : { summary, summaryTokens, reinjected, quotes, ...(subjects && { subjects }) };
type SummaryGiven = Pick<
  EventData<'CompactionCompleted'>,
  'summary' | 'summaryTokens' | 'reinjected' | 'quotes' | 'subjects' | 'erased'
>;

/** Fields of a pivot other than a compaction. */
const MADE_BY_NOBODY = {
  attempt: 0,
  messagesDuringRun: 0,
  isAutomatic: false,
  isForOverflow: false,
  ran: undefined,
  countedSaved: Tokens(0),
} as const;

/**
 * Returns a stream without its reverted compactions, the source of a context. The revert events stay; continuation
 * messages of the reverted compactions are marked as withdrawn.
 */
export const withoutReverted = (
  stream: readonly Placed[],
  reverted: ReadonlySet<CompactionId> = revertedIn(stream),
): readonly Placed[] => {
  if (reverted.size === 0) return stream;
  const continuations = continuationsOf(stream, reverted);
  return stream.flatMap((placed): readonly Placed[] => {
    const { event } = placed;
    const ends = isPivotEvent(event) || event.type === 'CompactionApplied';
    if (ends && reverted.has(event.data.compactionId)) return [];
    const isGone = event.type === 'MessageAppended' && continuations.has(event.data.message.id);
    return [isGone ? { ...placed, withdrawn: true } : placed];
  });
};

const continuationsOf = (
  stream: readonly Placed[],
  reverted: ReadonlySet<CompactionId>,
): ReadonlySet<MessageId> =>
  new Set(
    stream.flatMap(({ event }) =>
      event.type === 'ContinuationQueued' && reverted.has(event.data.compactionId)
        ? [event.data.messageId]
        : [],
    ),
  );

const revertedIn = (stream: readonly Placed[]): ReadonlySet<CompactionId> =>
  new Set(
    stream.flatMap(({ event }) => (event.type === 'CompactionReverted' ? [event.data.compactionId] : [])),
  );

/** An event and its place in the session's stream. */
export type Placed = {
  readonly event: SessionEvent;
  readonly revision: Revision;
  /** A message that a revert has taken out of the context again: it counts as appended, and is not shown. */
  readonly withdrawn?: true;
};
