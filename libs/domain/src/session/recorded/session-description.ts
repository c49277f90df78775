import type { Event } from '@app/kernel';

/**
 * Metadata by which people find a session. It is given by callers, no request carries it, and every reader of the tenant sees
 * it, those without access to content among them.
 */
export type SessionDescription = {
  /** At most `LIMITS.title` characters. */
  readonly title?: string;
  /** A working folder, a repository or a name; at most `LIMITS.project` characters. */
  readonly project?: string;
  readonly labels: { readonly [name: string]: string };
};

/** The description is another one from now on: all of it, and the names of the fields that have changed. */
export type SessionDescribed = Event<
  'SessionDescribed',
  SessionDescription & { changed: readonly ('title' | 'project' | 'labels')[] }
>;
