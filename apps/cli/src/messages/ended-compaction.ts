import type { CompactionId } from '@app/kernel';
import type { SessionCall } from '../result-command.js';

/** A compaction that a command triggered, after its end. */
export type EndedCompaction = { readonly compactionId: CompactionId; readonly outcome: string };

/** Waits for the compaction, because the local worker ends with this process. */
export const endedCompaction = async (
  { palimpsest, ref }: Pick<SessionCall<object>, 'palimpsest' | 'ref'>,
  compactionId: CompactionId | null | undefined,
): Promise<EndedCompaction | null> => {
  if (!compactionId) return null;
  const { outcome } = await palimpsest.outcome(ref, compactionId);
  return { compactionId, outcome };
};

export const compactionText = (compaction: EndedCompaction | null): string =>
  compaction === null ? '' : `; compaction ${compaction.compactionId}: ${compaction.outcome}`;
