import type { SummarizerIdentity } from '@app/domain';
import type { Summarizer, SummaryResult } from '@app/ports';

/** A summarizer that returns the summary of a hook, without a model call. */
export class HandedInSummary implements Summarizer {
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
