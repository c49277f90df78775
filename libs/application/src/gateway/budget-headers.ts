import type { BudgetBanner } from '@app/contract';
import type { Remedy } from '@app/domain';

/**
 * Returns the headers of a gateway answer about the session's budget: occupancy in billed tokens, remedies with their effect,
 * and notes. None in the state `normal` without notes.
 */
export const budgetHeaders = (banner: BudgetBanner | null): Readonly<Record<string, string>> => {
  if (!banner) return {};
  const { state, occupancy, window, remedies, ladder, duplicateCompaction } = banner;
  return {
    'x-palimpsest-state': state,
    'x-palimpsest-occupancy': String(occupancy),
    'x-palimpsest-window': String(window),
    ...(remedies.length > 0 && { 'x-palimpsest-remedies': remedies.map(remedyHeader).join(', ') }),
    ...(ladder && { 'x-palimpsest-ladder': `${ladder.rung};requests=${ladder.requests}` }),
    ...(duplicateCompaction && { 'x-palimpsest-duplicate-compaction': 'true' }),
  };
};

/** Formats a remedy as its name and effect: `truncate-message;message-id=m7;billed-tokens=27532;billed-after=1200`. */
const remedyHeader = ({ remedy, ...effect }: Remedy): string =>
  [
    remedy,
    ...Object.entries(effect).map(([name, value]) => `${inKebab(name)}=${encodeURIComponent(String(value))}`),
  ].join(';');

const inKebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
