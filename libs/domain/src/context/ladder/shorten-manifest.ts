import { GAP_TEXT } from '../gap.js';
import type { Manifest } from '../manifest.js';
import type { Shortening } from './shortening.js';

/** What of a manifest goes out on a rung of the ladder. */
export const shortenManifest = (
  manifest: Manifest,
  { masked, droppedGroups, messages }: Shortening,
): Manifest => ({
  ...manifest,
  gap: droppedGroups > 0 ? GAP_TEXT : undefined,
  messages,
  droppedOutputs: [...manifest.droppedOutputs, ...masked],
  isAltered: true,
});
