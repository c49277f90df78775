import { frameSummary, runningPlan, type SessionState } from '@app/domain';
import { type Actor, type CompactionId, Tokens } from '@app/kernel';
import type { Clock, Summarizer, SummaryResult, TokenCounter } from '@app/ports';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller, SessionStore } from '../sessions/session-store.js';
import { inputHash } from './input-hash.js';
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
  constructor(
    private readonly sessions: SessionStore,
    private readonly summarizer: Summarizer,
    private readonly counter: TokenCounter,
    /** Who runs it, as it is recorded. */
    private readonly worker: Actor,
    private readonly clock: Clock,
  ) {}

  /** @throws the reason of `signal` where it aborts before the end; what the log throws. */
  async run(
    ref: SessionRef,
    compactionId: CompactionId,
    causationId: string,
    signal: AbortSignal,
  ): Promise<RunOutcome> {
    const caller: Caller = { actor: this.worker, causationId };
    for (;;) {
      signal.throwIfAborted();
      const attempt = await this.start(ref, compactionId, caller);
      if (attempt === undefined) return 'ended';
      const outcome = await this.finish(ref, compactionId, attempt, caller, signal);
      if (outcome !== 'failed') return outcome;
    }
  }

  /** Starts the next attempt; `undefined` where the compaction has ended. */
  private async start(
    ref: SessionRef,
    compactionId: CompactionId,
    caller: Caller,
  ): Promise<number | undefined> {
    const common = { sessionId: ref.session, compactionId, worker: this.worker, now: this.clock.now() };
    const summarizer = this.summarizer.identity;
    const { events } = await this.sessions.execute(
      ref,
      (state) => ({
        type: 'StartCompaction',
        data: { ...common, summarizer, inputHash: inputHash(state) },
      }),
      caller,
    );
    const started = events.find((event) => event.type === 'CompactionStarted');
    return started?.data.attempt;
  }

  private async finish(
    ref: SessionRef,
    compactionId: CompactionId,
    attempt: number,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<AttemptOutcome> {
    const { state } = await this.sessions.load(ref);
    const before = outcomeIn(state, compactionId, attempt);
    if (before !== 'running') return before;

    const common = { sessionId: ref.session, compactionId, attempt, worker: this.worker };
    const startedAt = performance.now();
    const attempted = await this.attempt(state, compactionId, attempt, signal);
    const { state: after } = await this.sessions.execute(
      ref,
      'failure' in attempted
        ? {
            type: 'FailAttempt',
            data: {
              ...common,
              now: this.clock.now(),
              error: { rule: 'summarizer', detail: attempted.failure },
            },
          }
        : {
            type: 'CompleteCompaction',
            data: {
              ...common,
              now: this.clock.now(),
              summary: attempted.summary,
              summarizer: this.summarizer.identity,
              durationMs: Math.round(performance.now() - startedAt),
              ...(attempted.usage && { usage: attempted.usage }),
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
    attempt: number,
    signal: AbortSignal,
  ): Promise<Attempted> {
    const plan = state.status === 'open' ? runningPlan(state) : undefined;
    if (!plan) return { failure: 'the covered range has changed' };
    if (!plan.stages.includes('summarize')) return { summary: null };
    const instructions = state.status === 'open' ? state.compaction?.instructions : undefined;
    try {
      const result = await this.summarize({ compactionId, plan, attempt, instructions }, signal);
      const summary = this.measured(result, compactionId);
      return { summary, ...(result.usage && { usage: result.usage }) };
    } catch (error) {
      // A worker that is being stopped has not failed: another takes over.
      signal.throwIfAborted();
      return { failure: classOf(error) };
    }
  }

  private summarize(
    input: Parameters<typeof summaryRequest>[0],
    signal: AbortSignal,
  ): Promise<SummaryResult> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
    return unlessAborted(limited, this.summarizer.summarize(summaryRequest(input), limited));
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
