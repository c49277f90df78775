import { setImmediate as nextTick } from 'node:timers/promises';
import type { SummarizerIdentity } from '@app/domain';
import type { Summarizer, SummaryRequest, TokenCounter } from '@app/ports';
import { writeSummary } from './write-summary.js';

const IDENTITY: SummarizerIdentity = {
  name: 'extractive',
  promptVersion: 'extractive-5',
  deterministic: true,
};

/**
 * Summarizes without a model: quotes the user, lists what the tools did, and keeps the lines that hold most of
 * the names and numbers. The same request gives the same bytes, within `sizeMax` tokens of `counter` wherever the
 * headings of the required sections are.
 */
export const extractiveSummarizer = (counter: TokenCounter): Summarizer => ({
  identity: IDENTITY,
  // Of one text it shares its room out better than of two, says no line twice, and tells of the turn under State.
  splitTurn: 'one-call',
  summarize: async (request: SummaryRequest, signal: AbortSignal) => {
    const steps = writeSummary(request, counter);
    for (;;) {
      signal.throwIfAborted();
      const step = steps.next();
      if (step.done) return { text: step.value, finish: 'stop' };
      await nextTick(); // Between steps an abort can arrive, and other work goes on.
    }
  },
});
