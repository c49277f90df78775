import { setTimeout as pause } from 'node:timers/promises';
import {
  type AttemptError,
  type Bill,
  type Cost,
  type CountedMessage,
  continuationOf,
  costOf,
  type FinishedSummary,
  type NativeCompaction,
  NO_MODELS,
  runningPlan,
  type SessionState,
  sumCosts,
  type Usage,
} from '@app/domain';
import { type Actor, type CompactionId, IsoTime } from '@app/kernel';
import type { Clock, ModelRegistry, Summarizer, SummarizerChoice, TokenCounter } from '@app/ports';
import { countMessage } from '../sessions/count-message.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller, SessionStore } from '../sessions/session-store.js';
import type { HookCalls } from './hooks/hook-calls.js';
import { AttemptStarter, isUnderWay, type Started } from './hooks/start-attempt.js';
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

export type RunnerOptions = {
  /** Who has a say in it; nobody where there are none. */
  readonly hooks?: HookCalls;
  readonly pace?: Pace;
  /** What models cost; where it is absent nobody knows. */
  readonly models?: ModelRegistry;
  /** Who takes facts from the log behind what a model writes, where the policy wants that. */
  readonly facts?: Summarizer;
};

/**
 * What a runner leaves behind: a compaction that has ended, or one that another worker has taken over, and whose end
 * is that worker's business.
 */
export type RunOutcome = 'ended' | 'taken-over';
type AttemptOutcome = RunOutcome | 'failed';

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
  private readonly hooks: HookCalls | undefined;
  private readonly pace: Pace;
  private readonly models: ModelRegistry | undefined;
  private readonly facts: Summarizer | undefined;

  constructor(
    private readonly sessions: SessionStore,
    summarizers: SummarizerChoice,
    private readonly counter: TokenCounter,
    /** Who runs it, as it is recorded. */
    private readonly worker: Actor,
    { hooks, pace = REAL_TIME, models, facts }: RunnerOptions = {},
  ) {
    this.hooks = hooks;
    this.pace = pace;
    this.models = models;
    this.facts = facts;
    this.starter = new AttemptStarter(sessions, summarizers, worker, pace, hooks);
  }

  /** @throws the reason of `signal` where it aborts before the end; what the log throws. */
  async run(
    ref: SessionRef,
    compactionId: CompactionId,
    causationId: string,
    signal: AbortSignal,
  ): Promise<RunOutcome> {
    const caller: Caller = { actor: this.worker, causationId };
    if (!this.hooks) return this.attempts(ref, compactionId, caller, signal);
    // One that had ended before may have ended under a worker who died before he told anybody.
    const teller = (await isUnderWay(this.sessions, ref, compactionId)) ? this.worker : undefined;
    const outcome = await this.attempts(ref, compactionId, caller, signal);
    if (outcome === 'ended') await this.hooks.outcome(ref, compactionId, teller, signal);
    return outcome;
  }

  /** Waits until the next attempt may begin: whoever failed the one before has said when, in the log. */
  private async untilDue(ref: SessionRef, compactionId: CompactionId, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { state } = await this.sessions.load(ref);
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
    const { state } = await this.sessions.load(ref);
    const before = outcomeIn(state, compactionId, attempt);
    if (before !== 'running') return before;

    const common = { sessionId: ref.session, compactionId, attempt, worker: this.worker };
    const startedAt = performance.now();
    const attempted = await this.attempt(state, started, signal);
    const { usage, bills = [], ...came } = attempted;
    const paid = usage && { usage, ...(await this.costs(ref, bills)) };
    const { state: after } = await this.sessions.execute(
      ref,
      'error' in came
        ? { type: 'FailAttempt', data: { ...common, now: this.pace.now(), ...came, ...paid } }
        : {
            type: 'CompleteCompaction',
            data: {
              ...common,
              now: this.pace.now(),
              ...came,
              summarizer: summarizer.identity,
              durationMs: Math.round(performance.now() - startedAt),
              ...paid,
              ...this.continuation(state, compactionId),
            },
          },
      caller,
    );
    const outcome = outcomeIn(after, compactionId, attempt);
    return outcome === 'running' ? 'failed' : outcome;
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
    const tools = { calls, facts: this.facts, counter: this.counter };
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
      const came = await attemptSummary({ session: state, compaction, plan, attempt }, tools, limited);
      return { ...came, ...paid() };
    } catch (error) {
      // A worker that is being stopped has not failed: another takes over.
      signal.throwIfAborted();
      const { error: told, ...waiting } = failureOf(error, attempt, this.pace.now());
      // Whoever takes its place need not wait for it.
      return { error: told, ...(!hasNext && waiting), ...paid() };
    }
  }

  /** What the calls of an attempt cost together, by the prices in force now. */
  private async costs(ref: SessionRef, bills: readonly Bill[]): Promise<{ readonly cost?: Cost }> {
    const catalog = (await this.models?.catalogFor(ref.tenant)) ?? NO_MODELS;
    const now = this.pace.now();
    const cost = sumCosts(bills.map(({ model, usage }) => costOf(catalog, model, usage, now)));
    return cost ? { cost } : {};
  }

  /** The message by which interrupted work would go on; whether there is any, the decision finds out. */
  private continuation(
    state: SessionState,
    compactionId: CompactionId,
  ): { readonly continuation?: CountedMessage } {
    const isWanted = state.status === 'open' && state.compaction?.profile.autoContinue;
    return isWanted ? { continuation: countMessage(this.counter, continuationOf(compactionId)) } : {};
  }
}

/** How an attempt stands: by what the session says of its compaction. */
const outcomeIn = (
  state: SessionState,
  compactionId: CompactionId,
  attempt: number,
): AttemptOutcome | 'running' => {
  const compaction = state.status === 'open' ? state.compaction : undefined;
  if (compaction?.compactionId !== compactionId) return 'ended';
  if (compaction.attempt !== attempt) return 'taken-over';
  return compaction.running ? 'running' : 'failed';
};
