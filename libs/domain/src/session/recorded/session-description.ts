import type { Event, SubjectRef } from '@app/kernel';
import type { OfSubjects } from '../../message/subjects.js';

/**
 * Metadata for finding a session. Set by callers, not part of requests, and visible to every reader of the tenant,
 * including those without access to content.
 */
export type SessionDescription = OfSubjects & {
  /** At most `LIMITS.title` characters. */
  readonly title?: string;
  /** A working folder, a repository or a name; at most `LIMITS.project` characters. */
  readonly project?: string;
  readonly labels: { readonly [name: string]: string };
  /** The data subject that the label `customer` names: all content from then on is the customer's. */
  readonly customer?: SubjectRef;
};

/** The whole description from now on, and the names of its changed fields. */
export type SessionDescribed = Event<
  'SessionDescribed',
  SessionDescription & { changed: readonly ('title' | 'project' | 'labels')[] }
>;
