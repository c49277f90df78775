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
import type { CommandExecutor } from '../command-and-query.js';
import {
  type AttemptOutcome,
  attemptOutcome,
  CompleteCompaction,
  FailAttempt,
} from '../commands/attempts.js';
import { isUnderWay } from '../sessions/await-outcome.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller, SessionStore } from '../sessions/session-store.js';
import type { HookCalls } from './hooks/hook-calls.js';
import { AttemptStarter, type Started } from './hooks/start-attempt.js';
import { attemptSummary } from './summaries/attempt-summary.js';
import { SummarizerCalls } from './summaries/calls/summarizer-calls.js';
import { failureOf, RETRY_AFTER_MAX_MS } from './summaries/failure-of.js';

/** Milliseconds for all calls of one attempt. All attempts with their pauses end before a worker counts as hung. */
const ATTEMPT_TIMEOUT_MS = 240_000;

/** Clock and timer of a runner. */
export type Pace = Clock & {
  /** Resolves after `milliseconds`. @throws the reason of `signal` if it aborts first. */
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
  /** Actor of all events that the runner records. */
  readonly worker: Actor;
  readonly hooks?: HookCalls | undefined;
  readonly pace?: Pace;
  /** Extracts facts from the log, which are appended to the summary of a model if the profile wants it. */
  readonly facts?: Summarizer;
};

/** A compaction that has ended, or that another worker has taken over and will end. */
export type RunOutcome = Exclude<AttemptOutcome, 'failed'>;

/** A result or an error, with its usage. */
type Attempted = { readonly usage?: Usage; readonly bills?: readonly Bill[] } & (
  | { readonly summary: FinishedSummary | null; readonly native?: NativeCompaction }
  | { readonly error: AttemptError; readonly retryAt?: IsoTime; readonly giveUp?: boolean }
);

/**
 * Runs a requested compaction until it has completed or failed, from any state that a crash has left. Idempotent, and safe with
 * concurrent workers: the stream decides which worker has started an attempt.
 */
export class CompactionRunner {
  private readonly starter: AttemptStarter;
  private readonly pace: Pace;

  constructor(private readonly parts: RunnerParts) {
    this.pace = parts.pace ?? REAL_TIME;
    this.starter = new AttemptStarter({ ...parts, hooks: parts.hooks, clock: this.pace });
  }

  /** @throws the reason of `signal` if it aborts before the end; errors of the event store. */
  async run(
    ref: SessionRef,
    compactionId: CompactionId,
    causationId: string,
    signal: AbortSignal,
  ): Promise<RunOutcome> {
    const { sessions, worker, hooks } = this.parts;
    const caller: Caller = { actor: worker, causationId };
    if (!hooks) return this.attempts(ref, compactionId, caller, signal);
    // A compaction that had already ended may have been ended by a worker that died before it notified the hooks.
    const teller = (await isUnderWay(sessions, ref, compactionId)) ? worker : undefined;
    const outcome = await this.attempts(ref, compactionId, caller, signal);
    if (outcome === 'ended') await hooks.outcome(ref, compactionId, teller, signal);
    return outcome;
  }

  /** Waits until the time that the previous failure has recorded for the next attempt. */
  private async untilDue(ref: SessionRef, compactionId: CompactionId, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { state } = await this.parts.sessions.load(ref);
    const compaction = state.status === 'open' ? state.compaction : undefined;
    if (compaction?.compactionId !== compactionId || compaction.retryAt === undefined) return;
    const wait = Date.parse(compaction.retryAt) - Date.parse(this.pace.now());
    // Bounded by the longest permitted wait, since the clock of another worker may be wrong.
    if (wait > 0) await this.pace.pause(Math.min(wait, RETRY_AFTER_MAX_MS), signal);
  }

  /** Runs attempts one after another, the first one after the hooks. */
  private async attempts(
    ref: SessionRef,
    compactionId: CompactionId,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<RunOutcome> {
    await this.untilDue(ref, compactionId, signal);
    let started = await this.starter.startAfterHooks(ref, compactionId, caller, signal);
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

  /** Calls the summarizer if the plan needs one. Its errors and results belong to the attempt and are no defects. */
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
      // A stopping worker records no failure: another one takes over.
      signal.throwIfAborted();
      const { error: attemptError, ...waiting } = failureOf(error, attempt, this.pace.now());
      // The next worker need not wait for the delivery timeout.
      return { error: attemptError, ...(!hasNext && waiting), ...paid() };
    }
  }
}
