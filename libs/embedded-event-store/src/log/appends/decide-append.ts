import type { EventId } from '../event-id.js';

/** The expected revision of an append. */
export type ExpectedRevision =
  | { readonly kind: 'any' | 'no-stream' | 'stream-exists' }
  /** A bigint, since clients may send revisions above `NUMBER_MAX`. */
  | { readonly kind: 'exact'; readonly revision: bigint };

/** The state of a stream that `decideAppend` needs. */
export type StreamView = {
  /** The last revision; -1 without events. */
  readonly last: number;
  readonly isTombstoned: boolean;
  /** Soft-deleted until the next append. */
  readonly isDeleted: () => boolean;
  /** Whether the stream has metadata, which suffices for `stream-exists`. */
  readonly hasMetadata: () => boolean;
  readonly idAt: (revision: number) => EventId | undefined;
  /** Returns the latest revision at which the stream contains this id. */
  readonly revisionOf: (id: EventId) => number | undefined;
};

export type AppendDecision =
  | { readonly kind: 'write' }
  /** The identical append was written before; its last event has the revision `last`. */
  | { readonly kind: 'repeated'; readonly last: number }
  | { readonly kind: 'conflict' | 'deleted' };

/**
 * Decides whether events with `ids` may be appended, by the rules of EventStoreDB (`IndexWriter.CheckCommit`).
 *
 * For `any` and `stream-exists` EventStoreDB looks ids up in a bounded cache, and misses evicted ones; this function
 * finds every id.
 */
export const decideAppend = (
  expected: ExpectedRevision,
  ids: readonly EventId[],
  view: StreamView,
): AppendDecision => {
  if (view.isTombstoned) return DELETED;
  switch (expected.kind) {
    case 'any':
      return repeatedAnywhere(ids, view);
    case 'stream-exists':
      if (view.isDeleted()) return DELETED;
      return view.last < 0 && !view.hasMetadata() ? CONFLICT : repeatedAnywhere(ids, view);
    case 'no-stream': {
      const decision = appendAfter(-1n, ids, view);
      // The events of a soft-deleted stream cause no conflict.
      return decision.kind === 'conflict' && differsAtStart(ids, view) && view.isDeleted() ? WRITE : decision;
    }
    case 'exact':
      return appendAfter(expected.revision, ids, view);
  }
};

const WRITE: AppendDecision = { kind: 'write' };
const CONFLICT: AppendDecision = { kind: 'conflict' };
const DELETED: AppendDecision = { kind: 'deleted' };

/** Whether the first event differs from the stream's: then the append is no retry. */
const differsAtStart = (ids: readonly EventId[], view: StreamView): boolean =>
  ids.length > 0 && view.idAt(0) !== ids[0];

/**
 * Treats the append as a retry if all ids are known, as new if the first one is unknown, and otherwise as a conflict.
 */
const repeatedAnywhere = (ids: readonly EventId[], view: StreamView): AppendDecision => {
  let last: number | undefined;
  for (const [index, id] of ids.entries()) {
    const revision = view.revisionOf(id);
    if (revision === undefined) return index === 0 ? WRITE : CONFLICT;
    last = revision;
  }
  return last === undefined ? WRITE : { kind: 'repeated', last };
};

/** Writes at the last revision, with any ids; at an earlier one the append may be a retry. */
const appendAfter = (revision: bigint, ids: readonly EventId[], view: StreamView): AppendDecision => {
  if (revision === BigInt(view.last)) return WRITE;
  if (revision > BigInt(view.last) || ids.length === 0) return CONFLICT;
  const first = Number(revision) + 1;
  const repeated = ids.every((id, index) => view.idAt(first + index) === id);
  return repeated ? { kind: 'repeated', last: first + ids.length - 1 } : CONFLICT;
};
