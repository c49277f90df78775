import type { ProposedEvent } from '../record.js';
import type { ExpectedRevision } from './decide-append.js';

/** An atomic append. */
export type Append = {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly ProposedEvent[];
  /** After this time the append fails with `timeout`. Milliseconds since 1970. */
  readonly deadline?: number;
};

/** A soft delete, until the next append, or a hard delete (tombstone). */
export type Deletion = {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly isHardDelete: boolean;
};

export type AppendOutcome =
  /** On disk. `position` is that of the last event; `undefined` without events. */
  | { readonly kind: 'appended'; readonly last: number | undefined; readonly position: number | undefined }
  /** `last`: the revision of the stream's last event. */
  | { readonly kind: 'conflict'; readonly last: number | undefined }
  /** The stream has a tombstone, or it is soft-deleted and the writer expected it to exist. */
  | { readonly kind: 'deleted' }
  | { readonly kind: 'timeout' };
