import { type AttemptError, nextPlan, type SummarizerIdentity } from '@app/domain';
import { type Actor, type CompactionId, isWellFormed, unlessAborted } from '@app/kernel';
import type {
  CompactionHook,
  EventLog,
  HookDecision,
  Summarizer,
  SummaryResult,
  TokenCounter,
} from '@app/ports';
import { inputHash } from '../../commands/input-hash.js';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';
import type { SessionStore } from '../../sessions/session-store.js';
import { summaryRequest, summaryTask } from '../summaries/summary-request.js';
import { completedFacts, failedFacts, plannedFacts } from './hook-facts.js';

/**
 * Combined answer of the hooks before a compaction: proceed with context lines, cancel, or use a summary for the plan with the
 * given input hash.
 */
export type HooksAnswer =
  | { readonly decision: 'continue'; readonly contextLines: readonly string[] }
  | { readonly decision: 'cancel'; readonly reason: string }
  | { readonly decision: 'summary'; readonly summarizer: Summarizer; readonly inputHash: string }
  /** A hook that fails closed has not answered: the compaction fails. */
  | { readonly decision: 'fail'; readonly error: AttemptError };

export type HookCallsOptions = {
  readonly sessions: SessionStore;
  readonly log: EventLog;
  readonly counter: TokenCounter;
  /** Called in this order. */
  readonly hooks: readonly CompactionHook[];
  /** Called when a hook fails, times out or returns an invalid answer. */
  readonly onError: (error: unknown) => void;
};

/** Calls hooks. The failure of a hook affects a compaction only before it starts, and only if the hook fails closed. */
export class HookCalls {
  constructor(private readonly options: HookCallsOptions) {}

  /** The first hook that fails closed; `undefined` if none does. */
  get failingClosed(): string | undefined {
    return this.options.hooks.find(({ onFailure }) => onFailure === 'closed')?.name;
  }

  /**
   * Calls the hooks in order before a compaction starts. The first hook that cancels, returns a summary or fails closed
   * decides; otherwise the context lines of all hooks are combined.
   *
   * @throws the reason of `signal`; errors of the event store.
   */
  async before(ref: SessionRef, compactionId: CompactionId, signal: AbortSignal): Promise<HooksAnswer> {
    const { state } = await this.options.sessions.load(ref);
    const compaction = state.status === 'open' ? state.compaction : undefined;
    if (state.status !== 'open' || compaction?.compactionId !== compactionId) return GO_ON;
    const { plan } = nextPlan(state, compaction);
    if (plan.kind === 'none') return GO_ON; // The compaction will be skipped.
    const { instructions } = compaction;
    // Lines of an earlier answer are removed, so that hooks see the same plan each time.
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
   * Notifies the hooks of the outcome of a compaction that has ended.
   *
   * @param by notifies only if this actor has recorded the outcome; by default for any actor.
   * @throws the reason of `signal`; errors of the event store.
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
      if (by !== undefined && context.actor !== by) return; // The worker that has recorded the outcome notifies the hooks.
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

  /** Returns the answer of a hook within its time limit; `undefined` if it fails. */
  private async call<Result>(
    hook: CompactionHook,
    signal: AbortSignal,
    work: (limited: AbortSignal) => Promise<Result> | undefined,
    failed: (error: unknown) => void = () => undefined,
  ): Promise<Result | undefined> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(hook.timeLimitMs)]);
    try {
      // An in-process hook may throw synchronously.
      return await unlessAborted(
        limited,
        Promise.resolve().then(() => work(limited)),
      );
    } catch (error) {
      signal.throwIfAborted(); // A stopping worker ignores the answer; another worker calls the hook again.
      this.options.onError(error);
      failed(error);
      return undefined;
    }
  }
}

/** Returns the recorded error of a failed hook: names and numbers, without text of the hook. */
const hookFailure = ({ name, timeLimitMs }: CompactionHook, error: unknown): AttemptError => {
  const kind =
    typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : typeof error;
  const what = kind === 'TimeoutError' ? `no answer within ${timeLimitMs} ms` : kind;
  return { rule: HOOK_FAILED, detail: `hook ${name} fails closed: ${what}` };
};

/** Rule name of compactions that fail because a hook that fails closed has not answered. */
export const HOOK_FAILED = 'hook-failed';

const GO_ON: HooksAnswer = { decision: 'continue', contextLines: [] };

/** A summarizer that returns the summary of a hook, without a model call. */
class HandedInSummary implements Summarizer {
  readonly identity: SummarizerIdentity;
  /** The hook's single text also covers a split turn. */
  readonly splitTurn = 'one-call';

  constructor(
    hook: string,
    private readonly text: string,
  ) {
    this.identity = { name: `hook:${hook}`, promptVersion: 'none', deterministic: false };
  }

  async summarize(): Promise<SummaryResult> {
    return { text: this.text, finish: 'stop' };
  }
}

/** Maximum UTF-16 units of a recorded reason. */
const REASON_MAX = 1_000;
/** Maximum of lines of all hooks together: they use space in the summarizer's window and are recorded for each attempt. */
const CONTEXT_LINES_MAX = 20;
/** In UTF-16 units. */
const CONTEXT_LINE_MAX = 1_000;

/** A hook has returned an invalid answer. */
class UnusableHookAnswer extends Error {
  override readonly name = 'UnusableHookAnswer';
}

/**
 * Validates the answer of a hook, which may come from outside this process.
 *
 * @param asked the size of the plan, and the number of context lines of earlier hooks.
 * @throws {UnusableHookAnswer} for an invalid answer.
 */
const usable = (
  answer: HookDecision,
  asked: { readonly isSummarized: boolean; readonly linesBefore: number },
): HookDecision => {
  switch (answer.decision) {
    case 'continue':
      if (answer.context === undefined || areLines(answer.context, CONTEXT_LINES_MAX - asked.linesBefore))
        return answer;
      throw new UnusableHookAnswer('context lines that cannot be recorded');
    case 'cancel':
      if (isText(answer.reason, REASON_MAX)) return answer;
      throw new UnusableHookAnswer('a reason that cannot be recorded');
    case 'summary':
      if (asked.isSummarized && typeof answer.summary === 'string') return answer;
      throw new UnusableHookAnswer(
        asked.isSummarized ? 'a summary that is no text' : 'a summary where none is needed',
      );
    default:
      throw new UnusableHookAnswer('a decision that there is not');
  }
};

const areLines = (lines: unknown, countMax: number): boolean =>
  Array.isArray(lines) &&
  lines.length <= countMax &&
  lines.every((line: unknown) => isText(line, CONTEXT_LINE_MAX) && !LINE_BREAK.test(line));

const isText = (value: unknown, lengthMax: number): value is string =>
  typeof value === 'string' && value.length <= lengthMax && isWellFormed(value);

/** Line breaks according to Unicode. */
const LINE_BREAK = /[\n\v\f\r\u0085\u2028\u2029]/;
