import { createHash } from 'node:crypto';
import {
  FRAME_TOKENS_MAX,
  frameSummary,
  type Plan,
  prepare,
  runningPlan,
  type SessionState,
} from '@app/domain';
import { type Actor, AppError, type CompactionId, canonicalJson, Tokens } from '@app/kernel';
import type { Summarizer, SummaryRequest, SummaryResult, TokenCounter } from '@app/ports';
import type { SessionRef } from '../sessions/session-ref.js';
import type { Caller, SessionStore } from '../sessions/session-store.js';

/** How long one call of the summarizer may take. */
const ATTEMPT_TIMEOUT_MS = 120_000;
/** Each further attempt asks for a shorter summary: one that was too long is the likeliest failure. */
const TIGHTER = 0.75;

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
  ) {}

  async run(
    ref: SessionRef,
    compactionId: CompactionId,
    causationId: string,
    signal: AbortSignal,
  ): Promise<void> {
    const caller: Caller = { actor: this.worker, causationId };
    for (;;) {
      signal.throwIfAborted();
      const attempt = await this.start(ref, compactionId, caller);
      if (attempt === undefined) return;
      await this.finish(ref, compactionId, attempt, caller, signal);
    }
  }

  /** Starts the next attempt; `undefined` where the compaction has ended. */
  private async start(
    ref: SessionRef,
    compactionId: CompactionId,
    caller: Caller,
  ): Promise<number | undefined> {
    const { worker, summarizer } = { worker: this.worker, summarizer: this.summarizer.identity };
    const { events } = await this.sessions.execute(
      ref,
      (state) => {
        const inputHash = this.hashOf(state);
        return {
          type: 'StartCompaction',
          data: { sessionId: ref.session, compactionId, worker, summarizer, inputHash },
        };
      },
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
  ): Promise<void> {
    const { state } = await this.sessions.load(ref);
    const compaction = state.status === 'open' ? state.compaction : undefined;
    const plan = state.status === 'open' ? runningPlan(state) : undefined;
    if (compaction?.compactionId !== compactionId || compaction.attempt !== attempt || !plan) return;

    const common = { sessionId: ref.session, compactionId, attempt, worker: this.worker };
    const startedAt = performance.now();
    try {
      const result = plan.stages.includes('summarize')
        ? await this.summarize(this.requestOf(compactionId, plan, attempt, compaction.instructions), signal)
        : undefined;
      const durationMs = Math.round(performance.now() - startedAt);
      const data = {
        ...common,
        summary: result ? this.measured(result, compactionId) : null,
        summarizer: this.summarizer.identity,
        durationMs,
        ...(result?.usage && { usage: result.usage }),
      };
      await this.sessions.execute(ref, { type: 'CompleteCompaction', data }, caller);
    } catch (error) {
      // A worker that is being stopped, or that cannot reach the log, has not failed: another takes over.
      if (signal.aborted || error instanceof AppError) throw error;
      const data = { ...common, error: { rule: 'summarizer', detail: classOf(error) } };
      await this.sessions.execute(ref, { type: 'FailAttempt', data }, caller);
    }
  }

  private summarize(request: SummaryRequest, signal: AbortSignal): Promise<SummaryResult> {
    return this.summarizer.summarize(
      request,
      AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]),
    );
  }

  private requestOf(
    compactionId: CompactionId,
    plan: Plan,
    attempt: number,
    instructions: string | undefined,
  ): SummaryRequest {
    const room = Math.max(0, plan.summaryMax - FRAME_TOKENS_MAX) * TIGHTER ** (attempt - 1);
    return {
      compactionId,
      messages: plan.covered.map((entry) => entry.message),
      splitPrefix: plan.splitPrefix.length,
      ...(plan.previousSummary !== undefined && { previousSummary: plan.previousSummary }),
      retained: plan.retained.map((entry) => entry.message),
      fileOperations: plan.fileOperations,
      ...(instructions !== undefined && { instructions }),
      toolOutputs: plan.profile.toolOutputs,
      sizeMax: Tokens(Math.floor(room)),
    };
  }

  private measured({ text, finish }: SummaryResult, compactionId: CompactionId) {
    const tokens = Tokens(this.counter.count(text));
    return {
      text,
      finish,
      tokens,
      framedTokens: Tokens(this.counter.count(frameSummary(text, compactionId))),
    };
  }

  /** SHA-256 of all that the summary will depend on, so that an auditor can tell whether two runs had the same input. */
  private hashOf(state: SessionState): string {
    if (state.status !== 'open' || !state.compaction) return '';
    const plan = prepare(state, state.compaction.profile);
    if (plan.kind === 'none') return '';
    const input = {
      messages: plan.covered.map((entry) => entry.message),
      previousSummary: plan.previousSummary,
      fileOperations: plan.fileOperations,
      instructions: state.compaction.instructions,
      summaryMax: plan.summaryMax,
      stages: plan.stages,
    };
    return createHash('sha256').update(canonicalJson(input)).digest('hex');
  }
}

/** What kind of error it was; its text may hold what the summarizer was given. */
const classOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
