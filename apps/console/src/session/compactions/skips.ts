import type { SkipReason } from '@app/client';

/** Why a compaction was skipped, and the remedy if there is one. */
export const SKIPS: Readonly<Record<SkipReason['rule'], string>> = {
  'nothing-to-drop': 'it keeps every message',
  'floor-too-high': 'what must stay is too large: remove pins',
  'no-gain': 'the summary would save too little',
  'protection-strict': 'protect fewer turns',
};
