import type { SessionView } from '@app/client';

/** What a view of a session gets. */
export type ViewProps = {
  readonly session: string;
  /** The session as it was loaded with the page. */
  readonly view: SessionView;
  /** Loads the session anew, after a change. */
  readonly reload: () => void;
};
