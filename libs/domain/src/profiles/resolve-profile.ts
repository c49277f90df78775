import { AppError, type JsonObject } from '@app/kernel';
import { requireValidProfile } from './fields/require-valid-profile.js';
import { withOverrides } from './fields/with-overrides.js';
import { DEFAULT_PROFILE, PROFILES, profileNamed } from './index.js';
import type { Profile } from './profile.js';

/** A profile by its name; or one of a user's own: `name`, the profile that it `extends`, and the fields that differ. */
export type ProfileSource = string | JsonObject;

/** @throws {AppError} `unknown-profile`; `invalid-settings` with the field and its valid values. */
export const resolveProfile = (source: ProfileSource): Profile => {
  if (typeof source === 'string') return profileNamed(source);
  const { extends: base = DEFAULT_PROFILE.name, ...fields } = source;
  if (typeof base !== 'string') throw new AppError('invalid-settings', 'extends takes the name of a profile');
  if (typeof fields.name !== 'string' || PROFILES.some(({ name }) => name === fields.name)) {
    const message = 'a profile of your own needs a name of its own: add "name" to it';
    throw new AppError('invalid-settings', message);
  }
  const description = `A profile of your own, on the basis of ${base}.`;
  const profile = withOverrides(profileNamed(base), { description, ...fields });
  requireValidProfile(profile);
  return profile;
};
