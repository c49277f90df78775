import {
  type CountedMessage,
  continuationOf,
  frameSummary,
  runningPlan,
  type SessionState,
} from '@app/domain';
import { type Actor, type CompactionId, Tokens } from '@app/kernel';
import type { Summarizer, SummaryResult, TokenCounter } from '@app/ports';
import { countMessage } from '../sessions/count-message.js';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller, SessionStore } from '../sessions/session-store.js';
import type { HookCalls } from './hooks/hook-calls.js';
import { AttemptStarter, isUnderWay, type Started } from './hooks/start-attempt.js';
import { summaryRequest } from './summary-request.js';
import { unlessAborted } from './unless-aborted.js';

/** How long one call of the summarizer may take. */
const ATTEMPT_TIMEOUT_MS = 120_000;

/**
 * What a runner leaves behind: a compaction that has ended, or one that another worker has taken over, and whose end
 * is that worker's business.
 */
export type RunOutcome = 'ended' | 'taken-over';
type AttemptOutcome = RunOutcome | 'failed';

/** A result that may be recorded, or the class of the error that there is instead. */
type Attempted =
  | { readonly summary: Measured | null; readonly usage?: SummaryResult['usage'] }
  | { readonly failure: string };
type Measured = Pick<SummaryResult, 'text' | 'finish'> & {
  readonly tokens: Tokens;
  readonly framedTokens: Tokens;
};

/**
 * Takes a requested compaction to its end: started → completed or failed, from wherever a crash has left it. Safe to
 * repeat, and safe beside another worker: the stream decides who has started which attempt.
 */
export class CompactionRunner {
  private readonly starter: AttemptStarter;

  constructor(
    private readonly sessions: SessionStore,
    summarizer: Summarizer,
    private readonly counter: TokenCounter,
    /** Who runs it, as it is recorded. */
    private readonly worker: Actor,
    /** Who has a say in it; nobody where there are none. */
    private readonly hooks?: HookCalls,
  ) {
    this.starter = new AttemptStarter(sessions, summarizer, worker, hooks);
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

  /** One attempt after the other; the first as the hooks want it. */
  private async attempts(
    ref: SessionRef,
    compactionId: CompactionId,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<RunOutcome> {
    signal.throwIfAborted();
    let started = await this.starter.startAsHooksWant(ref, compactionId, caller, signal);
    while (started) {
      const outcome = await this.finish(ref, compactionId, started, caller, signal);
      if (outcome !== 'failed') return outcome;
      signal.throwIfAborted();
      started = await this.starter.start(ref, compactionId, caller);
    }
    return 'ended';
  }

  private async finish(
    ref: SessionRef,
    compactionId: CompactionId,
    { attempt, summarizer }: Started,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<AttemptOutcome> {
    const { state } = await this.sessions.load(ref);
    const before = outcomeIn(state, compactionId, attempt);
    if (before !== 'running') return before;

    const common = { sessionId: ref.session, compactionId, attempt, worker: this.worker };
    const startedAt = performance.now();
    const attempted = await this.attempt(state, compactionId, { attempt, summarizer }, signal);
    const { state: after } = await this.sessions.execute(
      ref,
      'failure' in attempted
        ? {
            type: 'FailAttempt',
            data: { ...common, error: { rule: 'summarizer', detail: attempted.failure } },
          }
        : {
            type: 'CompleteCompaction',
            data: {
              ...common,
              summary: attempted.summary,
              summarizer: summarizer.identity,
              durationMs: Math.round(performance.now() - startedAt),
              ...(attempted.usage && { usage: attempted.usage }),
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
    compactionId: CompactionId,
    { attempt, summarizer }: Started,
    signal: AbortSignal,
  ): Promise<Attempted> {
    const plan = state.status === 'open' ? runningPlan(state) : undefined;
    if (!plan) return { failure: 'the covered range has changed' };
    if (!plan.stages.includes('summarize')) return { summary: null };
    const instructions = state.status === 'open' ? state.compaction?.instructions : undefined;
    try {
      const result = await this.summarize(summarizer, { compactionId, plan, attempt, instructions }, signal);
      const summary = this.measured(result, compactionId);
      return { summary, ...(result.usage && { usage: result.usage }) };
    } catch (error) {
      // A worker that is being stopped has not failed: another takes over.
      signal.throwIfAborted();
      return { failure: classOf(error) };
    }
  }

  /** The message by which interrupted work would go on; whether there is any, the decision finds out. */
  private continuation(
    state: SessionState,
    compactionId: CompactionId,
  ): { readonly continuation?: CountedMessage } {
    const isWanted = state.status === 'open' && state.compaction?.profile.autoContinue;
    return isWanted ? { continuation: countMessage(this.counter, continuationOf(compactionId)) } : {};
  }

  private summarize(
    summarizer: Summarizer,
    input: Parameters<typeof summaryRequest>[0],
    signal: AbortSignal,
  ): Promise<SummaryResult> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
    return unlessAborted(limited, summarizer.summarize(summaryRequest(input), limited));
  }

  private measured({ text, finish }: SummaryResult, compactionId: CompactionId): Measured {
    const framed = frameSummary(text, compactionId);
    return {
      text,
      finish,
      tokens: Tokens(this.counter.count(text)),
      framedTokens: Tokens(this.counter.count(framed)),
    };
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

/** What kind of error it was; its text may hold what the summarizer was given. */
const classOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
