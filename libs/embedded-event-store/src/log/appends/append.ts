import type { ProposedEvent } from '../record.js';
import type { ExpectedRevision } from './decide-append.js';

/** One append: all of its events or none. */
export type Append = {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly ProposedEvent[];
  /** After this instant nothing is written any more, and the answer is `timeout`. Milliseconds since 1970. */
  readonly deadline?: number;
};

/** Takes a stream out of sight until somebody appends to it again, or for ever. */
export type Deletion = {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly forEver: boolean;
};

export type AppendOutcome =
  /** On disk. `position` is that of the last event; without events there is none. */
  | { readonly kind: 'appended'; readonly last: number | undefined; readonly position: number | undefined }
  /** `last`: the revision of the stream's last event. */
  | { readonly kind: 'conflict'; readonly last: number | undefined }
  /** The stream is deleted: for ever, or the writer expected it to exist. */
  | { readonly kind: 'deleted' }
  | { readonly kind: 'timeout' };
