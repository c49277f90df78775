import { readFileSync } from 'node:fs';
import type { ProfileSource } from '@app/domain';
import { AppError, parseJsonObject, unreadableFile } from '@app/kernel';

/** Bytes; larger than any valid profile. */
const PROFILE_BYTES_MAX = 65_536;

/**
 * Parses a profile: its name, or a JSON file with the user's own profile.
 *
 * @throws {AppError} `unreadable-file`, `invalid-settings` if the file holds no profile.
 */
export const profileSource = (given: string): ProfileSource => {
  if (!/\.json$|[\\/]/.test(given)) return given;
  const profile = parseJsonObject(contentOf(given));
  if (profile) return profile;
  throw new AppError('invalid-settings', `${given} holds no profile: it has to be one JSON object`);
};

/** Parses one of several profiles. */
export const profileSources = (given: string, before: readonly ProfileSource[]): readonly ProfileSource[] => [
  ...before,
  profileSource(given),
];

const contentOf = (path: string): string => {
  let content: Buffer;
  try {
    content = readFileSync(path);
  } catch (error) {
    throw unreadableFile(path, error);
  }
  if (content.length <= PROFILE_BYTES_MAX) return content.toString('utf8');
  throw new AppError('invalid-settings', `${path} is too large for a profile`);
};
