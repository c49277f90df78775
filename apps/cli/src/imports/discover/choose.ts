import { AppError } from '@app/kernel';
import type { DiscoveredSession } from './discover.js';

/**
 * Returns the sessions that the user chose by number in the list (from 1), by ID or by the start of an ID.
 *
 * @throws {AppError} `invalid-request` if a choice matches no session or several.
 */
export const chosen = (
  sessions: readonly DiscoveredSession[],
  choices: readonly string[],
): readonly DiscoveredSession[] => [...new Set(choices.map((choice) => one(sessions, choice)))];

const one = (sessions: readonly DiscoveredSession[], choice: string): DiscoveredSession => {
  const exact = sessions.filter(({ id }) => id === choice);
  const numbered = /^\d{1,6}$/.test(choice) ? sessions[Number(choice) - 1] : undefined;
  const begun = sessions.filter(({ id }) => id.startsWith(choice));
  const [found, ...more] = exact.length > 0 ? exact : numbered ? [numbered] : begun;
  if (found && more.length === 0) return found;
  const many = found ? 'is the beginning of several sessions' : 'is no session';
  throw new AppError(
    'invalid-request',
    `"${choice}" ${many}: see \`palimpsest import --discover\` for their numbers and ids`,
  );
};
