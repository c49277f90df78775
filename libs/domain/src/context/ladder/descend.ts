import { Tokens } from '@app/kernel';
import { calibrationInForce } from '../../budget/calibration/calibration.js';
import { estimatedTokens, occupancy } from '../../occupancy/occupancy.js';
import { LADDER_RUNGS, type LadderRung } from '../../session/facts.js';
import type { OpenSession } from '../../session/state.js';
import { groupedIn } from '../../turns/cuts.js';
import { shownSession } from '../../view/shown-session.js';
import { cutResults } from './cut-results.js';
import { dropGroups } from './drop-groups.js';
import { maskOutputs } from './mask-outputs.js';
import type { Descent, Footing, Rung, Shortening } from './shortening.js';
import { truncateMessages } from './truncate-messages.js';

export type { Descent, Shortening } from './shortening.js';

const TAKE: Readonly<Record<LadderRung, (footing: Footing, above: Rung) => Rung>> = {
  'mask-outputs': maskOutputs,
  'drop-groups': dropGroups,
  'newest-group': cutResults,
  'truncate-messages': truncateMessages,
};

/**
 * Shrinks a request without a summary and without a model: down the rungs, each strictly smaller, to the first that
 * fits. Every rung keeps system prompt, pins, the record of earlier messages and the newest user message. Pure, and
 * for one request only.
 *
 * @returns the lowest rung taken, which may not fit either; `undefined` if nothing can be omitted.
 */
export const descend = (whole: OpenSession, descent: Descent): Shortening | undefined => {
  const { session } = shownSession(whole);
  const layout = groupedIn(session);
  const estimated = estimatedTokens(session);
  // In billed tokens: an omitted part counts as calibrated, else in proportion.
  const size = occupancy(whole);
  const perThousand = calibrationInForce(whole)?.perThousand;
  const scale = perThousand !== undefined ? perThousand / 1_000 : estimated === 0 ? 1 : size / estimated;
  const sizeWithout = (freed: number): Tokens => Tokens(Math.max(0, Math.ceil(size - freed * scale)));
  const excess = Math.ceil((size - descent.aim) / scale);
  const newest = layout.groups.at(-1)?.start ?? 0;
  const names = LADDER_RUNGS.filter((name) => descent.truncates || name !== 'truncate-messages');
  const first = firstRung(names, descent);

  const messages = session.entries.map(({ message }) => message);
  let rung: Rung = { masked: [], droppedGroups: 0, messages, truncated: [], freed: 0 };
  let rungs: readonly LadderRung[] = [];
  for (const [at, name] of names.entries()) {
    // The provider rejected the previous rung: apply all of it before the next one.
    const footing: Footing = {
      session,
      layout,
      newest,
      excess: at < first ? Number.MAX_SAFE_INTEGER : excess,
    };
    const lower = TAKE[name](footing, rung);
    if (lower.freed > rung.freed) {
      rung = lower;
      rungs = [...rungs, name];
    }
    if (at >= first && rungs.length > 0 && sizeWithout(rung.freed) <= descent.most) break;
  }
  const last = rungs.at(-1);
  if (!last) return undefined;
  const { freed, ...taken } = rung;
  return { ...taken, rung: last, rungs, tokens: sizeWithout(freed) };
};

/** The place of the first rung that may be enough: the one below the rung that was refused, or the last one again. */
const firstRung = (names: readonly LadderRung[], { below }: Descent): number =>
  below === undefined ? 0 : Math.min(names.indexOf(below) + 1, names.length - 1);
