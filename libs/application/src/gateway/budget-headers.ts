import type { Remedy } from '@app/domain';
import type { BudgetBanner } from '../commands/requests/budget-banner.js';

/**
 * What a client of the gateway is told of its session beside the provider's answer, in headers: occupancy in billed tokens,
 * what would help with its effect, and what goes on that its user should know. None where there is nothing to tell.
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

/** `truncate-message;message-id=m7;billed-tokens=27532;billed-after=1200`: the name, then its effect. */
const remedyHeader = ({ remedy, ...effect }: Remedy): string =>
  [
    remedy,
    ...Object.entries(effect).map(([name, value]) => `${inKebab(name)}=${encodeURIComponent(String(value))}`),
  ].join(';');

const inKebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
