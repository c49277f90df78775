import type { CompactionInFlight, SummarizerIdentity } from '@app/domain';
import { invariant } from '@app/kernel';
import type { Summarizer, SummarizerChain } from '@app/ports';

/** A summarizer, and whether another one can take its place. */
export type InChain = { readonly summarizer: Summarizer; readonly hasNext: boolean };

/** After these the same summarizer is asked again: it was cut short by somebody else, or it is to write less. */
const ASKED_AGAIN_AFTER: ReadonlySet<string> = new Set(['oversize', 'no-gain', 'superseded', 'worker-lost']);

/**
 * Who summarizes in the next attempt: the first of the chain, and after a failure the one behind whoever has failed. The
 * last attempt belongs to the last of them, whom the chain names as its last resort.
 */
export const nextInChain = (chain: SummarizerChain, compaction: CompactionInFlight | undefined): InChain => {
  const last = chain.length - 1;
  const at = Math.min(placeOf(chain, compaction), last);
  const summarizer = chain[at];
  invariant(summarizer, 'a chain is never empty');
  return { summarizer, hasNext: at < last };
};

const placeOf = (chain: SummarizerChain, compaction: CompactionInFlight | undefined): number => {
  if (!compaction?.summarizer) return 0;
  const { summarizer: before, running, lastError, attempt, profile } = compaction;
  const at = chain.findIndex(({ identity }) => isSame(identity, before));
  // One that is under way, and taken over, has not failed.
  if (running || at < 0) return Math.max(0, at);
  if (attempt + 1 >= profile.maxAttempts) return chain.length - 1;
  return lastError && ASKED_AGAIN_AFTER.has(lastError.rule) ? at : at + 1;
};

const isSame = (a: SummarizerIdentity, b: SummarizerIdentity): boolean =>
  a.name === b.name && a.model === b.model;
