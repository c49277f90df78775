import type { Tokens } from '@app/kernel';
import { GAP_TEXT } from '../gap.js';
import type { Manifest } from '../manifest.js';
import type { Shortening } from './shortening.js';

/** What of a manifest goes out on a rung of the ladder, with the answer that there is room for beside it, in tokens. */
export const shortenManifest = (
  manifest: Manifest,
  { masked, droppedGroups, messages }: Shortening,
  maxOutput: Tokens,
): Manifest => ({
  ...manifest,
  maxOutput,
  gap: droppedGroups > 0 ? GAP_TEXT : undefined,
  messages,
  droppedOutputs: [...manifest.droppedOutputs, ...masked],
  isAltered: true,
});
