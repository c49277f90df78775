import type { SessionState } from '@app/domain';
import type { CompactionId } from '@app/kernel';
import { type CommandFor, commandOn } from '../../sessions/decisions.js';

/** Commands that are recorded atomically. */
export type Step = {
  readonly commands: readonly CommandFor[];
  /** Estimated bytes in the log, rather too high than too low. */
  readonly weight: number;
  /** Precedes a model request: a running compaction is waited for first. */
  readonly isBeforeRequest?: boolean;
};

/** The commands of several steps, decided together, and the number of steps before a compaction is waited for. */
export class Taking {
  taken = 0;

  constructor(private readonly steps: readonly Step[]) {}

  get commands(): readonly CommandFor[] {
    return this.steps.flatMap(({ commands }, at) =>
      commands.map((commandFor, index): CommandFor => {
        return (state, revision) => {
          if (index === 0) this.begin(at, state);
          return this.taken > at ? commandOn(commandFor, state, revision) : undefined;
        };
      }),
    );
  }

  /** Returns the compaction that must end before the next steps. */
  pendingIn(state: SessionState): CompactionId | undefined {
    const isBeforeRequest = this.steps[this.taken - 1]?.isBeforeRequest === true;
    return isBeforeRequest && state.status === 'open' ? state.compaction?.compactionId : undefined;
  }

  /** Restarts at the first step: after a conflict, all steps are decided again. */
  private begin(at: number, state: SessionState): void {
    if (at === 0) this.taken = 0;
    if (this.taken === at && (at === 0 || this.pendingIn(state) === undefined)) this.taken = at + 1;
  }
}
