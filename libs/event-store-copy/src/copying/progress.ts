export type CopyProgress = {
  readonly phase: 'comparing' | 'copying' | 'verifying';
  /** Events of this phase so far. */
  readonly events: number;
};
