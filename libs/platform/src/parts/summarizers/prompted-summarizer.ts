import type { SummarizerIdentity, TenantPrompt } from '@app/domain';
import { defined } from '@app/kernel';
import type { RepeatedRequest, Summarizer, SummaryRequest, SummaryResult } from '@app/ports';
import { promptVersionOf } from '@app/prompts';

/** Returns a summarizer that uses a prompt of the tenant; its identity names the prompt and its version. */
export const promptedSummarizer = (summarizer: Summarizer, prompt: TenantPrompt): Summarizer => {
  const identity: SummarizerIdentity = { ...summarizer.identity, promptVersion: promptVersionOf(prompt) };
  const { inputMax, splitTurn, repeats, unusable } = summarizer;
  const summarize = (request: SummaryRequest, signal: AbortSignal): Promise<SummaryResult> =>
    summarizer.summarize({ ...request, prompts: prompt.texts }, signal);
  return {
    identity,
    ...defined({ inputMax, splitTurn, repeats, unusable }),
    summarize,
    ...(summarizer.compactNatively && {
      compactNatively: (parent: RepeatedRequest, signal: AbortSignal) => {
        if (!summarizer.compactNatively) throw new RangeError('a summarizer has lost its native compaction');
        return summarizer.compactNatively(parent, signal);
      },
    }),
  };
};
