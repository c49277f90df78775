export type CopyProgress = {
  readonly phase: 'comparing' | 'copying' | 'verifying';
  /** Number of events in this phase so far. */
  readonly events: number;
  /** Share of the source's log that this phase has read, from 0 to 1; absent while comparing. */
  readonly fraction?: number;
};
