import type { Tokens } from '@app/kernel';
import { GAP_TEXT } from '../gap.js';
import type { Manifest } from '../manifest.js';
import type { Shortening } from './shortening.js';

/** Returns the part of a manifest that is sent on a rung of the ladder, and the tokens left for the answer. */
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
