import type { SessionView } from '@app/client';

/** Properties of a view of a session. */
export type ViewProps = {
  readonly session: string;
  /** The session as it was loaded with the page. */
  readonly view: SessionView;
  /** Grows after events of the session: views load their rows again. */
  readonly round: number;
  /** Loads the session anew, after a change. */
  readonly reload: () => void;
};
