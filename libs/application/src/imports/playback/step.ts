import type { SessionState } from '@app/domain';
import type { CompactionId } from '@app/kernel';
import { type CommandFor, commandOn } from '../../sessions/decisions/command-for.js';

/** What is recorded together or not at all. */
export type Step = {
  readonly commands: readonly CommandFor[];
  /** What it takes in the log at most, in bytes: roughly, and rather too much than too little. */
  readonly weight: number;
  /** Before a request of the model: a compaction that is under way then is waited for before anything else. */
  readonly isBeforeRequest?: boolean;
};

/** The commands of several steps, decided together; and how many of the steps that are before a compaction is waited for. */
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

  /** The compaction that must come to its end before what follows on the steps that were taken. */
  pendingIn(state: SessionState): CompactionId | undefined {
    const isBeforeRequest = this.steps[this.taken - 1]?.isBeforeRequest === true;
    return isBeforeRequest && state.status === 'open' ? state.compaction?.compactionId : undefined;
  }

  /** The first one begins all anew: they are decided again where another writer was faster. */
  private begin(at: number, state: SessionState): void {
    if (at === 0) this.taken = 0;
    if (this.taken === at && (at === 0 || this.pendingIn(state) === undefined)) this.taken = at + 1;
  }
}
