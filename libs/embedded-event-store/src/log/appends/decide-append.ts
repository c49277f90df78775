import type { EventId } from '../event-id.js';

/** What the writer believes about the stream: nothing, that it is absent or present, or its last revision. */
export type ExpectedRevision =
  | { readonly kind: 'any' | 'no-stream' | 'stream-exists' }
  /** A bigint, since a client may ask for more than any stream can hold. */
  | { readonly kind: 'exact'; readonly revision: bigint };

/** What a decision needs to know of a stream. */
export type StreamView = {
  /** -1 where the stream has no events. */
  readonly last: number;
  readonly isTombstoned: boolean;
  /** Deleted until the next append. */
  readonly isDeleted: () => boolean;
  /** Whether somebody has set metadata for it: that makes a stream exist for `stream-exists`. */
  readonly hasMetadata: () => boolean;
  readonly idAt: (revision: number) => EventId | undefined;
  /** The latest revision at which this id was written to this stream. */
  readonly revisionOf: (id: EventId) => number | undefined;
};

export type AppendDecision =
  | { readonly kind: 'write' }
  /** The very same append was carried out before; its last event stands at `last`. */
  | { readonly kind: 'repeated'; readonly last: number }
  | { readonly kind: 'conflict' | 'deleted' };

/**
 * Whether events with `ids` may be appended, by the rules of EventStoreDB (`IndexWriter.CheckCommit`).
 *
 * Where it differs from the original: for `any` and `stream-exists` the original looks ids up in a bounded cache
 * and so forgets; here every id is found, which is the same answer given reliably.
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
      // What stands in a deleted stream is no longer in anybody's way.
      return decision.kind === 'conflict' && differsAtStart(ids, view) && view.isDeleted() ? WRITE : decision;
    }
    case 'exact':
      return appendAfter(expected.revision, ids, view);
  }
};

const WRITE: AppendDecision = { kind: 'write' };
const CONFLICT: AppendDecision = { kind: 'conflict' };
const DELETED: AppendDecision = { kind: 'deleted' };

/** Whether the first event is news: then an append is no attempt to repeat what stands there. */
const differsAtStart = (ids: readonly EventId[], view: StreamView): boolean =>
  ids.length > 0 && view.idAt(0) !== ids[0];

/** All ids known: a repetition. The first one unknown: news. Some of both: neither, and refused. */
const repeatedAnywhere = (ids: readonly EventId[], view: StreamView): AppendDecision => {
  let last: number | undefined;
  for (const [index, id] of ids.entries()) {
    const revision = view.revisionOf(id);
    if (revision === undefined) return index === 0 ? WRITE : CONFLICT;
    last = revision;
  }
  return last === undefined ? WRITE : { kind: 'repeated', last };
};

/** At the head it is written, whatever the ids; before it, it may be a repetition of what stands there. */
const appendAfter = (revision: bigint, ids: readonly EventId[], view: StreamView): AppendDecision => {
  if (revision === BigInt(view.last)) return WRITE;
  if (revision > BigInt(view.last) || ids.length === 0) return CONFLICT;
  const first = Number(revision) + 1;
  const repeated = ids.every((id, index) => view.idAt(first + index) === id);
  return repeated ? { kind: 'repeated', last: first + ids.length - 1 } : CONFLICT;
};
