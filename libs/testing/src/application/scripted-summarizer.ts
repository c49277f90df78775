import type { SummarizerIdentity } from '@app/domain';
import type { Summarizer, SummaryRequest, SummaryResult } from '@app/ports';

export type SummarizerTurn = (
  request: SummaryRequest,
  signal: AbortSignal,
) => SummaryResult | Promise<SummaryResult>;

/** A summary that passes every check. */
export const goodResult = (about = 'everything'): SummaryResult => ({
  text: `## Goal\nFinish ${about}.\n\n## State\nUnder way.`,
  finish: 'stop',
});

/** Does what it is told, call by call; after the last of them it goes on with good summaries. */
export class ScriptedSummarizer implements Summarizer {
  readonly identity: SummarizerIdentity = { name: 'scripted', promptVersion: '1', deterministic: true };
  readonly requests: SummaryRequest[] = [];
  private readonly turns: SummarizerTurn[];

  constructor(...turns: SummarizerTurn[]) {
    this.turns = turns;
  }

  async summarize(request: SummaryRequest, signal: AbortSignal): Promise<SummaryResult> {
    this.requests.push(request);
    const turn = this.turns.shift() ?? (() => goodResult());
    return turn(request, signal);
  }
}
