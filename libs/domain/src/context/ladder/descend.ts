import { Tokens } from '@app/kernel';
import { calibrationInForce } from '../../budget/calibration/calibration.js';
import { estimatedTokens, occupancy } from '../../budget/occupancy.js';
import { groupedIn } from '../../compaction/prepare/cuts.js';
import type { LadderRung } from '../../session/facts.js';
import type { OpenSession } from '../../session/state.js';
import { shownSession } from '../view/shown-session.js';
import { cutResults } from './cut-results.js';
import { dropGroups } from './drop-groups.js';
import { maskOutputs } from './mask-outputs.js';
import type { Footing, Rung, Shortening } from './shortening.js';

export type { Shortening } from './shortening.js';

const LADDER: readonly (readonly [LadderRung, (footing: Footing, above: Rung) => Rung])[] = [
  ['mask-outputs', maskOutputs],
  ['drop-groups', dropGroups],
  ['newest-group', cutResults],
];

/**
 * Makes a request small enough for `budget` without a summary and without a model: down the rungs, each of them strictly
 * smaller, to the first that fits. System prompt, pins, the record of earlier messages and the user message of the newest
 * group are in each of them. Pure, and of one request alone: the session stays as it is.
 *
 * @returns the lowest rung that was needed, which may not fit either; `undefined` where nothing can be left out.
 */
export const descend = (whole: OpenSession, budget: Tokens): Shortening | undefined => {
  const { session } = shownSession(whole);
  const layout = groupedIn(session);
  const estimated = estimatedTokens(session);
  // In the measure of the provider: a part that is left out counts as calibrated, or else as its part of the whole.
  const size = occupancy(whole);
  const perThousand = calibrationInForce(whole)?.perThousand;
  const scale = perThousand !== undefined ? perThousand / 1_000 : estimated === 0 ? 1 : size / estimated;
  const sizeWithout = (freed: number): Tokens => Tokens(Math.max(0, Math.ceil(size - freed * scale)));
  const excess = Math.ceil((size - budget) / scale);
  const footing: Footing = { session, layout, newest: layout.groups.at(-1)?.start ?? 0, excess };

  const messages = session.entries.map(({ message }) => message);
  let rung: Rung = { masked: [], droppedGroups: 0, messages, freed: 0 };
  let rungs: readonly LadderRung[] = [];
  for (const [name, take] of LADDER) {
    const lower = take(footing, rung);
    if (lower.freed > rung.freed) {
      rung = lower;
      rungs = [...rungs, name];
    }
    if (rungs.length > 0 && rung.freed >= excess) break;
  }
  const last = rungs.at(-1);
  if (!last) return undefined;
  const { freed, ...taken } = rung;
  return { ...taken, rung: last, rungs, tokens: sizeWithout(freed) };
};
