import { setImmediate as yieldToLoop } from 'node:timers/promises';
import type { SummarizerIdentity } from '@app/domain';
import type { Summarizer, SummaryRequest, TokenCounter } from '@app/ports';
import { writeSummary } from './write-summary.js';

const IDENTITY: SummarizerIdentity = {
  name: 'extractive',
  promptVersion: 'extractive-5',
  deterministic: true,
};

/**
 * Returns a summarizer without a model: it quotes the user, lists tool actions, and keeps the lines with most names
 * and numbers. Deterministic; within `sizeMax` tokens of `counter` if the required headings are.
 */
export const extractiveSummarizer = (counter: TokenCounter): Summarizer => ({
  identity: IDENTITY,
  // One text shares the room better than two and avoids duplicates; the open turn is described under State.
  splitTurn: 'one-call',
  summarize: async (request: SummaryRequest, signal: AbortSignal) => {
    const steps = writeSummary(request, counter);
    for (;;) {
      signal.throwIfAborted();
      const step = steps.next();
      if (step.done) return { text: step.value, finish: 'stop' };
      await yieldToLoop(); // Between steps an abort can arrive, and other work goes on.
    }
  },
});
