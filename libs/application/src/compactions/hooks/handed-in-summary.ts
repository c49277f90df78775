import type { SummarizerIdentity } from '@app/domain';
import type { Summarizer, SummaryResult } from '@app/ports';

/** A summary that a hook has handed in, in the place of a summarizer: no model is called for it. */
export class HandedInSummary implements Summarizer {
  readonly identity: SummarizerIdentity;
  /** There is one text, whatever the plan splits. */
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
