import type { Bill, NativeCompaction, Usage, WireFormat } from '@app/domain';
import { sumTokens, unlessAborted } from '@app/kernel';
import type { RepeatedRequest, Summarizer, SummaryRequest, SummaryResult } from '@app/ports';
import { faultOf } from '../failure-of.js';

/** Milliseconds for one call of the summarizer. */
const CALL_TIMEOUT_MS = 120_000;

/** The calls of one attempt. Sums their usage, also for attempts that fail. */
export class SummarizerCalls {
  private paid: Usage | undefined;
  private readonly all: Bill[] = [];

  constructor(private readonly summarizer: Summarizer) {}

  get usage(): Usage | undefined {
    return this.paid;
  }

  /** Usage of each call with its model. */
  get bills(): readonly Bill[] {
    return this.all;
  }

  /** Whether a model writes the summary, not code or a hook. */
  get callsModel(): boolean {
    return this.summarizer.identity.model !== undefined;
  }

  get limits(): Pick<Summarizer, 'inputMax' | 'splitTurn' | 'repeats'> {
    return this.summarizer;
  }

  /**
   * Runs the provider's own compaction of `parent`; `undefined` if the summarizer has none or it fails. Its usage is billed,
   * and its failure fails nothing else.
   */
  async compactNatively(
    parent: (format: WireFormat) => RepeatedRequest,
    signal: AbortSignal,
  ): Promise<NativeCompaction | undefined> {
    const { repeats, identity } = this.summarizer;
    if (!repeats || !this.summarizer.compactNatively) return undefined;
    const by = { provider: identity.name, model: identity.model ?? '' };
    const limited = AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
    try {
      const compacting = this.summarizer.compactNatively(parent(repeats), limited);
      const { items, usage } = await unlessAborted(limited, compacting);
      this.pay(usage);
      return { ...by, items };
    } catch (error) {
      signal.throwIfAborted();
      const fault = faultOf(error);
      this.pay(fault?.usage);
      return { ...by, error: { rule: fault?.fault ?? 'summarizer', detail: fault?.message ?? 'it threw' } };
    }
  }

  /** @throws errors of the summarizer; the reason of `signal` or a `TimeoutError`, even if the summarizer ignores them. */
  async summarize(request: SummaryRequest, signal: AbortSignal): Promise<SummaryResult> {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]);
    try {
      const result = await unlessAborted(limited, this.summarizer.summarize(request, limited));
      this.pay(result.usage);
      return result;
    } catch (error) {
      this.pay(faultOf(error)?.usage);
      throw error;
    }
  }

  private pay(usage: Usage | undefined): void {
    if (!usage) return;
    const { name, model = name } = this.summarizer.identity;
    this.all.push({ model, usage });
    const { paid } = this;
    this.paid = paid
      ? {
          inputTokens: sumTokens([paid.inputTokens, usage.inputTokens]),
          cacheReadTokens: sumTokens([paid.cacheReadTokens, usage.cacheReadTokens]),
          cacheWriteTokens: sumTokens([paid.cacheWriteTokens, usage.cacheWriteTokens]),
          ...hourOf(paid, usage),
          outputTokens: sumTokens([paid.outputTokens, usage.outputTokens]),
        }
      : usage;
  }
}

const hourOf = (a: Usage, b: Usage): Pick<Usage, 'cacheWrite1hTokens'> =>
  a.cacheWrite1hTokens === undefined && b.cacheWrite1hTokens === undefined
    ? {}
    : { cacheWrite1hTokens: sumTokens([a.cacheWrite1hTokens ?? 0, b.cacheWrite1hTokens ?? 0]) };
