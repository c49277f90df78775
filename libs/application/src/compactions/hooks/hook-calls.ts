import { type AttemptError, nextPlan } from '@app/domain';
import { type Actor, type CompactionId, unlessAborted } from '@app/kernel';
import type { CompactionHook, EventLog, Summarizer, TokenCounter } from '@app/ports';
import { inputHash } from '../../commands/input-hash.js';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';
import type { SessionStore } from '../../sessions/session-store.js';
import { summaryRequest, summaryTask } from '../summaries/summary-request.js';
import { HandedInSummary } from './handed-in-summary.js';
import { completedFacts, failedFacts, plannedFacts } from './hook-facts.js';
import { usable } from './usable-decision.js';

/**
 * What the hooks want of a compaction: that its summarizer knows these lines besides, its end, or a summary for the plan
 * that has this input.
 */
export type HooksAnswer =
  | { readonly decision: 'continue'; readonly contextLines: readonly string[] }
  | { readonly decision: 'cancel'; readonly reason: string }
  | { readonly decision: 'summary'; readonly summarizer: Summarizer; readonly inputHash: string }
  /** A hook that has to answer did not: the compaction fails. */
  | { readonly decision: 'fail'; readonly error: AttemptError };

export type HookCallsOptions = {
  readonly sessions: SessionStore;
  readonly log: EventLog;
  readonly counter: TokenCounter;
  /** Asked and told in this order. */
  readonly hooks: readonly CompactionHook[];
  /** Hears of a hook that failed, took too long, or answered nonsense. */
  readonly onError: (error: unknown) => void;
};

/** Asks and tells hooks. A hook that fails hinders a compaction only where it is asked before it, and fails closed. */
export class HookCalls {
  constructor(private readonly options: HookCallsOptions) {}

  /** The first hook without whose answer no compaction runs; `undefined` where each of them may fail. */
  get failingClosed(): string | undefined {
    return this.options.hooks.find(({ onFailure }) => onFailure === 'closed')?.name;
  }

  /**
   * Asks the hooks, in order, what they want of a compaction that waits to be started. The first that cancels it or
   * hands a summary in has decided, and so has the first that fails closed; where none does, the lines of all of them are
   * put together.
   *
   * @throws the reason of `signal`; what the log throws.
   */
  async before(ref: SessionRef, compactionId: CompactionId, signal: AbortSignal): Promise<HooksAnswer> {
    const { state } = await this.options.sessions.load(ref);
    const compaction = state.status === 'open' ? state.compaction : undefined;
    if (state.status !== 'open' || compaction?.compactionId !== compactionId) return GO_ON;
    const { plan } = nextPlan(state, compaction);
    if (plan.kind === 'none') return GO_ON; // It will be skipped.
    const { instructions } = compaction;
    // The lines are what is asked for: the question is the same whatever was answered to it before.
    const hash = inputHash(state, []);
    const isSummarized = plan.stages.includes('summarize');
    const facts = plannedFacts(ref, compaction, plan, hash);
    const task = { compactionId, plan, attempt: 1, instructions, contextLines: [] };
    const content = summaryRequest(summaryTask(task, this.options.counter));
    const contextLines: string[] = [];
    for (const hook of this.options.hooks) {
      let failure: AttemptError | undefined;
      const answer = await this.call(
        hook,
        signal,
        async (limited) => {
          const decision = await hook.before?.(facts, content, limited);
          return decision && usable(decision, { isSummarized, linesBefore: contextLines.length });
        },
        (error) => {
          failure = hookFailure(hook, error);
        },
      );
      if (failure && hook.onFailure === 'closed') return { decision: 'fail', error: failure };
      if (answer?.decision === 'cancel') return answer;
      if (answer?.decision === 'summary') {
        const summarizer = new HandedInSummary(hook.name, answer.summary);
        return { decision: 'summary', summarizer, inputHash: hash };
      }
      contextLines.push(...(answer?.context ?? []));
    }
    return { decision: 'continue', contextLines };
  }

  /**
   * Tells the hooks how a compaction has ended, where it has run to an end.
   *
   * @param by whose outcome it must be to be told; anybody's where nobody is named.
   * @throws the reason of `signal`; what the log throws.
   */
  async outcome(
    ref: SessionRef,
    compactionId: CompactionId,
    by: Actor | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    for await (const { event, context } of this.options.log.readBackwards(streamOf(ref))) {
      if (event.type !== 'CompactionCompleted' && event.type !== 'CompactionFailed') {
        if (event.type === 'CompactionRequested' && event.data.compactionId === compactionId) return;
        continue;
      }
      if (event.data.compactionId !== compactionId) continue;
      if (by !== undefined && context.actor !== by) return; // Who has ended it tells it.
      for (const hook of this.options.hooks) {
        await this.call(hook, signal, (limited) =>
          event.type === 'CompactionCompleted'
            ? hook.after?.(completedFacts(ref, event.data), { summary: event.data.summary }, limited)
            : hook.failed?.(failedFacts(ref, event.data), limited),
        );
      }
      return;
    }
  }

  /** What a hook comes to within its time; `undefined` where it fails. */
  private async call<Result>(
    hook: CompactionHook,
    signal: AbortSignal,
    work: (limited: AbortSignal) => Promise<Result> | undefined,
    failed: (error: unknown) => void = () => undefined,
  ): Promise<Result | undefined> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(hook.timeLimitMs)]);
    try {
      // A hook in this process may throw before there is a promise.
      return await unlessAborted(
        limited,
        Promise.resolve().then(() => work(limited)),
      );
    } catch (error) {
      signal.throwIfAborted(); // A worker that is being stopped has not heard the hook out: another asks again.
      this.options.onError(error);
      failed(error);
      return undefined;
    }
  }
}

/** A hook's failure as it is recorded: by names and numbers, without a word of the hook's own. */
const hookFailure = ({ name, timeLimitMs }: CompactionHook, error: unknown): AttemptError => {
  const kind =
    typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : typeof error;
  const what = kind === 'TimeoutError' ? `no answer within ${timeLimitMs} ms` : kind;
  return { rule: HOOK_FAILED, detail: `hook ${name} fails closed: ${what}` };
};

/** The rule by which a compaction fails whose hook has to answer and does not. */
export const HOOK_FAILED = 'hook-failed';

const GO_ON: HooksAnswer = { decision: 'continue', contextLines: [] };
