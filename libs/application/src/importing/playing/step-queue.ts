import type { SessionState } from '@app/domain';
import { AppError, type CompactionId } from '@app/kernel';
import type { OutcomeWaiter } from '../../running/await-outcome.js';
import { type CommandFor, commandOn } from '../../sessions/deciding/command-for.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, Executed, SessionStore } from '../../sessions/session-store.js';

/** What is recorded together or not at all. */
export type Step = {
  readonly commands: readonly CommandFor[];
  /** What it takes in the log at most, in bytes: roughly, and rather too much than too little. */
  readonly weight: number;
  /** Before a request of the model: a compaction that is under way then is waited for before anything else. */
  readonly isBeforeRequest?: boolean;
};

/** What an event takes beside its content, in bytes. */
export const EVENT_WEIGHT = 1_000;
/** Of one append: larger ones are no faster, and an append must stay under what servers accept. */
const APPEND_WEIGHT = 512_000;

export type StepQueueDependencies = { readonly sessions: SessionStore; readonly outcomes: OutcomeWaiter };

/**
 * Records the steps of one session in their order, as many as fit in each append. While an append is under way the next
 * steps are taken; no more than that.
 */
export class StepQueue {
  private steps: Step[] = [];
  /** Of what waits to be sent. */
  weight = 0;
  private underWay: Promise<void> = Promise.resolve();

  constructor(
    private readonly ref: SessionRef,
    private readonly caller: Caller,
    private readonly deps: StepQueueDependencies,
    private readonly onRecorded: (executed: Executed) => Promise<void>,
  ) {}

  /** @throws {AppError} what steps before it were refused for. */
  async add(step: Step): Promise<void> {
    if (this.steps.length > 0 && this.weight + step.weight > APPEND_WEIGHT) await this.send();
    this.steps.push(step);
    this.weight += step.weight;
  }

  /** Waits until all steps are recorded. */
  async drain(): Promise<void> {
    await this.send();
    await this.underWay;
  }

  private async send(): Promise<void> {
    await this.underWay;
    const { steps } = this;
    this.steps = [];
    this.weight = 0;
    this.underWay = this.record(steps);
    // Whoever sends or drains next hears of it: until then it is nobody's.
    this.underWay.catch(() => undefined);
  }

  private async record(steps: readonly Step[]): Promise<void> {
    for (let rest = steps; rest.length > 0; ) {
      const taken = await this.recordTogether(rest).catch((error: unknown) => {
        if (!(error instanceof AppError) || rest.length === 1) throw error;
        // One of them is refused: what stands before it is not to blame.
        return this.recordTogether(rest.slice(0, 1));
      });
      rest = rest.slice(taken);
    }
  }

  /** @returns how many of the steps are recorded: those up to a compaction that is waited for. */
  private async recordTogether(steps: readonly Step[]): Promise<number> {
    let taken = 0;
    const begins = (at: number, state: SessionState): void => {
      if (at === 0) taken = 0; // Decided anew, after another writer was faster.
      const isWaiting = steps[at - 1]?.isBeforeRequest === true && pendingIn(state) !== undefined;
      if (taken === at && !isWaiting) taken = at + 1;
    };
    const commands = steps.flatMap((step, at) =>
      step.commands.map(
        (commandFor, index): CommandFor =>
          (state, revision) => {
            if (index === 0) begins(at, state);
            return taken > at ? commandOn(commandFor, state, revision) : undefined;
          },
      ),
    );
    const executed = await this.deps.sessions.executeAll(this.ref, commands, this.caller);
    await this.onRecorded(executed);
    const pending = steps[taken - 1]?.isBeforeRequest ? pendingIn(executed.state) : undefined;
    if (pending !== undefined) await this.deps.outcomes.outcomeOf(this.ref, pending);
    return taken;
  }
}

const pendingIn = (state: SessionState): CompactionId | undefined =>
  state.status === 'open' ? state.compaction?.compactionId : undefined;
