import { AppError } from '@app/kernel';
import { core } from './core.js';
import type { Profile } from './profile.js';
import { authorized, deterministic, pivot, staged, tail } from './shipped.js';

/** The shipped profiles, the default first. */
export const PROFILES: readonly Profile[] = [core, authorized, tail, staged, pivot, deterministic];
export const DEFAULT_PROFILE = core;

/** @throws {AppError} `unknown-profile`, with the names that there are. */
export const profileNamed = (name: string): Profile => {
  const found = PROFILES.find((profile) => profile.name === name);
  if (found) return found;
  const names = PROFILES.map((profile) => profile.name).join(', ');
  throw new AppError('unknown-profile', `there is no profile "${name.slice(0, 64)}": use one of ${names}`);
};
export * from './summarizer-names.js';
