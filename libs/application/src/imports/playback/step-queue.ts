import { AppError } from '@app/kernel';
import { ConflictError } from '@app/ports';
import type { OutcomeWaiter } from '../../sessions/await-outcome.js';
import type { Ahead, Loaded } from '../../sessions/decisions.js';

import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, Executed, SessionStore } from '../../sessions/session-store.js';
import { type Step, Taking } from './step.js';

/** Bytes of an event besides its content. */
export const EVENT_WEIGHT = 1_000;
/** Maximum bytes of one append: larger ones are hardly faster, and several copies of one or two appends are in memory. */
const APPEND_WEIGHT = 384_000;

export type StepQueueDependencies = { readonly sessions: SessionStore; readonly outcomes: OutcomeWaiter };

/**
 * Records the steps of one session in order, batched into appends. While an append is running, the next one is decided on the
 * expected state and prepared, but no further one.
 */
export class StepQueue {
  private steps: Step[] = [];
  /** Bytes of waiting steps. */
  weight = 0;
  /** The newest append and its predecessor. */
  private underWay: Promise<void> = Promise.resolve();
  private before: Promise<void> = Promise.resolve();
  private sent = 0;
  /** State after the newest append; `undefined` if it must be read. */
  private standing: Loaded | undefined;
  /** Number of conflicts with other writers. */
  private conflicts = 0;

  constructor(
    private readonly ref: SessionRef,
    private readonly caller: Caller,
    private readonly deps: StepQueueDependencies,
    private readonly onRecorded: (executed: Executed) => Promise<void>,
  ) {}

  /** @throws {AppError} errors of earlier steps. */
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
    const { steps } = this;
    this.steps = [];
    this.weight = 0;
    await this.before;
    if (steps.length === 0) return;
    if (!this.standing) await this.underWay;
    const behind = await this.sendBehind(steps);
    if (!behind) await this.underWay;
    this.before = this.underWay;
    this.underWay = behind ? behind.done : this.record(steps, this.nextNumber());
    // The next call rethrows the error; until then it is unhandled on purpose.
    this.underWay.catch(() => undefined);
  }

  private nextNumber(): number {
    this.sent += 1;
    this.standing = undefined;
    return this.sent;
  }

  /** Starts an append of steps on the expected state of the running one; `undefined` if that one must be recorded first. */
  private async sendBehind(steps: readonly Step[]): Promise<{ readonly done: Promise<void> } | undefined> {
    const { standing, conflicts } = this;
    if (!standing) return undefined;
    const taking = new Taking(steps);
    const ahead = await this.deps.sessions.decideAhead(this.ref, taking.commands, this.caller, standing);
    if (!ahead || conflicts !== this.conflicts) return undefined;
    const done = this.follow(steps, taking, ahead, this.nextNumber());
    if (taking.taken === steps.length && !taking.pendingIn(ahead.executed.state))
      this.standing = ahead.executed;
    return { done };
  }

  private async follow(
    steps: readonly Step[],
    taking: Taking,
    { executed, append }: Ahead,
    number: number,
  ): Promise<void> {
    const { underWay: before } = this;
    try {
      await append();
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      // Later decisions on this state are invalid, too.
      this.conflicts += 1;
      this.standing = undefined;
      await before;
      return this.record(steps, number);
    }
    await before;
    await this.finish(taking, executed);
    return this.record(steps.slice(taking.taken), number);
  }

  /** Records steps on the current state. */
  private async record(steps: readonly Step[], number: number): Promise<void> {
    for (let rest = steps; rest.length > 0; ) {
      const taken = await this.recordTogether(rest, number).catch((error: unknown) => {
        if (!(error instanceof AppError) || rest.length === 1) throw error;
        // One step is rejected: record those before it separately.
        return this.recordTogether(rest.slice(0, 1), number);
      });
      rest = rest.slice(taken);
    }
  }

  /** @returns the number of recorded steps, up to a compaction that was waited for. */
  private async recordTogether(steps: readonly Step[], number: number): Promise<number> {
    const taking = new Taking(steps);
    const executed = await this.deps.sessions.executeAll(this.ref, taking.commands, this.caller);
    const hasWaited = await this.finish(taking, executed);
    if (number === this.sent) this.standing = hasWaited ? undefined : executed;
    return taking.taken;
  }

  /** @returns whether a compaction was waited for. */
  private async finish(taking: Taking, executed: Executed): Promise<boolean> {
    await this.onRecorded(executed);
    const pending = taking.pendingIn(executed.state);
    if (pending !== undefined) await this.deps.outcomes.outcomeOf(this.ref, pending);
    return pending !== undefined;
  }
}
