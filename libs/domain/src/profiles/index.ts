import { AppError } from '@app/kernel';
import { authorized } from './authorized.js';
import { core } from './core.js';
import { deterministic } from './deterministic.js';
import { pivot } from './pivot.js';
import type { Profile } from './profile.js';
import { staged } from './staged.js';
import { tail } from './tail.js';

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
