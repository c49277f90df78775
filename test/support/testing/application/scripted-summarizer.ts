import type { SummarizerIdentity } from '@app/domain';
import { Tokens } from '@app/kernel';
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

/** Follows a script call by call; after its end it returns valid summaries. */
export class ScriptedSummarizer implements Summarizer {
  readonly identity: SummarizerIdentity = { name: 'scripted', promptVersion: '1', deterministic: true };
  readonly requests: SummaryRequest[] = [];
  inputMax?: Tokens;
  splitTurn?: 'concurrent' | 'serial' | 'one-call';
  private readonly turns: SummarizerTurn[];

  constructor(...turns: SummarizerTurn[]) {
    this.turns = turns;
  }

  /** Sets an input limit or a handling of split turns. */
  limitedTo({ inputMax, splitTurn }: { inputMax?: number; splitTurn?: Summarizer['splitTurn'] }): this {
    if (inputMax !== undefined) this.inputMax = Tokens(inputMax);
    if (splitTurn !== undefined) this.splitTurn = splitTurn;
    return this;
  }

  async summarize(request: SummaryRequest, signal: AbortSignal): Promise<SummaryResult> {
    this.requests.push(request);
    const turn = this.turns.shift() ?? (() => goodResult());
    return turn(request, signal);
  }
}
