import { setTimeout as pause } from 'node:timers/promises';
import {
  type AttemptError,
  type Bill,
  type FinishedSummary,
  type NativeCompaction,
  runningPlan,
  type SessionState,
  type Usage,
} from '@app/domain';
import { type Actor, type CompactionId, IsoTime } from '@app/kernel';
import type { Clock, Summarizer, SummarizerChoice, TokenCounter } from '@app/ports';
import { type AttemptOutcome, attemptOutcome } from '../commands/attempt.js';
import type { CommandExecutor } from '../commands/command-executor.js';
import { CompleteCompaction } from '../commands/complete-compaction.js';
import { FailAttempt } from '../commands/fail-attempt.js';
import { isUnderWay } from '../sessions/await-outcome.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller, SessionStore } from '../sessions/session-store.js';
import type { HookCalls } from './hooks/hook-calls.js';
import { AttemptStarter, type Started } from './hooks/start-attempt.js';
import { attemptSummary } from './summaries/attempt-summary.js';
import { SummarizerCalls } from './summaries/calls/summarizer-calls.js';
import { failureOf, RETRY_AFTER_MAX_MS } from './summaries/failures/failure-of.js';

/** How long all calls of one attempt may take. With pauses between, all attempts end before a worker counts as hung. */
const ATTEMPT_TIMEOUT_MS = 240_000;

/** What a runner waits by. */
export type Pace = Clock & {
  /** Resolves after `milliseconds`. @throws the reason of `signal` where it aborts first. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
};
const REAL_TIME: Pace = {
  now: () => IsoTime(new Date()),
  pause: (milliseconds, signal) => pause(milliseconds, undefined, { signal }),
};

export type RunnerParts = {
  readonly sessions: SessionStore;
  readonly commands: CommandExecutor;
  readonly summarizers: SummarizerChoice;
  readonly counter: TokenCounter;
  /** The actor of everything that the runner records. */
  readonly worker: Actor;
  readonly hooks?: HookCalls | undefined;
  readonly pace?: Pace;
  /** Extracts facts from the log, which follow the summary of a model where the profile asks for that. */
  readonly facts?: Summarizer;
};

/**
 * What a runner leaves behind: a compaction that has ended, or one that another worker has taken over, and whose end
 * is that worker's business.
 */
export type RunOutcome = Exclude<AttemptOutcome, 'failed'>;

/** A result that may be recorded, or what came instead; and what either has cost. */
type Attempted = { readonly usage?: Usage; readonly bills?: readonly Bill[] } & (
  | { readonly summary: FinishedSummary | null; readonly native?: NativeCompaction }
  | { readonly error: AttemptError; readonly retryAt?: IsoTime; readonly giveUp?: boolean }
);

/**
 * Takes a requested compaction to its end: started → completed or failed, from wherever a crash has left it. Safe to
 * repeat, and safe beside another worker: the stream decides who has started which attempt.
 */
export class CompactionRunner {
  private readonly starter: AttemptStarter;
  private readonly pace: Pace;

  constructor(private readonly parts: RunnerParts) {
    this.pace = parts.pace ?? REAL_TIME;
    this.starter = new AttemptStarter({ ...parts, hooks: parts.hooks, clock: this.pace });
  }

  /** @throws the reason of `signal` where it aborts before the end; what the log throws. */
  async run(
    ref: SessionRef,
    compactionId: CompactionId,
    causationId: string,
    signal: AbortSignal,
  ): Promise<RunOutcome> {
    const { sessions, worker, hooks } = this.parts;
    const caller: Caller = { actor: worker, causationId };
    if (!hooks) return this.attempts(ref, compactionId, caller, signal);
    // One that had ended before may have ended under a worker who died before he told anybody.
    const teller = (await isUnderWay(sessions, ref, compactionId)) ? worker : undefined;
    const outcome = await this.attempts(ref, compactionId, caller, signal);
    if (outcome === 'ended') await hooks.outcome(ref, compactionId, teller, signal);
    return outcome;
  }

  /** Waits until the next attempt may begin: whoever failed the one before has said when, in the log. */
  private async untilDue(ref: SessionRef, compactionId: CompactionId, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { state } = await this.parts.sessions.load(ref);
    const compaction = state.status === 'open' ? state.compaction : undefined;
    if (compaction?.compactionId !== compactionId || compaction.retryAt === undefined) return;
    const wait = Date.parse(compaction.retryAt) - Date.parse(this.pace.now());
    // Another worker's clock may be wrong by any amount: no wait is longer than the longest that is ever asked for.
    if (wait > 0) await this.pace.pause(Math.min(wait, RETRY_AFTER_MAX_MS), signal);
  }

  /** One attempt after the other; the first as the hooks want it. */
  private async attempts(
    ref: SessionRef,
    compactionId: CompactionId,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<RunOutcome> {
    await this.untilDue(ref, compactionId, signal);
    let started = await this.starter.startAsHooksWant(ref, compactionId, caller, signal);
    while (started) {
      const outcome = await this.finish(ref, compactionId, started, caller, signal);
      if (outcome !== 'failed') return outcome;
      await this.untilDue(ref, compactionId, signal);
      started = await this.starter.start(ref, compactionId, caller);
    }
    return 'ended';
  }

  private async finish(
    ref: SessionRef,
    compactionId: CompactionId,
    started: Started,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<AttemptOutcome> {
    const { attempt, summarizer } = started;
    const { state } = await this.parts.sessions.load(ref);
    const before = attemptOutcome(state, compactionId, attempt);
    if (before !== 'running') return before;

    const startedAt = performance.now();
    const attempted = await this.attempt(state, started, signal);
    const report = { compactionId, attempt, worker: this.parts.worker, now: this.pace.now() };
    if ('error' in attempted)
      return this.parts.commands.execute(new FailAttempt(ref, { ...report, ...attempted }, caller));
    const durationMs = Math.round(performance.now() - startedAt);
    const completed = { ...report, ...attempted, summarizer: summarizer.identity, durationMs };
    return this.parts.commands.execute(new CompleteCompaction(ref, completed, caller));
  }

  /** Calls the summarizer where the plan needs it. Whatever it does, or hands back, is the attempt's and no defect. */
  private async attempt(
    state: SessionState,
    { attempt, summarizer, hasNext }: Started,
    signal: AbortSignal,
  ): Promise<Attempted> {
    const plan = state.status === 'open' ? runningPlan(state) : undefined;
    const compaction = state.status === 'open' ? state.compaction : undefined;
    if (!plan || !compaction || state.status !== 'open')
      return { error: { rule: 'superseded', detail: 'the covered range has changed' } };
    if (!plan.stages.includes('summarize')) return { summary: null };
    const calls = new SummarizerCalls(summarizer);
    const paid = () => calls.usage && { usage: calls.usage, bills: calls.bills };
    const tools = { calls, facts: this.parts.facts, counter: this.parts.counter };
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
      const came = await attemptSummary({ session: state, compaction, plan, attempt }, tools, limited);
      return { ...came, ...paid() };
    } catch (error) {
      // A worker that is being stopped has not failed: another takes over.
      signal.throwIfAborted();
      const { error: attemptError, ...waiting } = failureOf(error, attempt, this.pace.now());
      // Whoever takes its place need not wait for it.
      return { error: attemptError, ...(!hasNext && waiting), ...paid() };
    }
  }
}
