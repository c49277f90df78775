import { candidatesOf } from '../models/names.js';
import type { ModelOverrides, Profile } from './profile.js';
import { matchesWildcard } from './wildcard.js';

/** Returns the profile for a model: with the fields of the first matching override. */
export const profileFor = (profile: Profile, model: string): Profile => {
  const overrides = overridesFor(profile, model);
  if (!overrides) return profile;
  const { model: _, ...fields } = overrides;
  return { ...profile, ...fields };
};

/** Returns the profile's overrides for a model; `undefined` if none matches. */
const overridesFor = ({ perModel }: Profile, model: string): ModelOverrides | undefined => {
  if (perModel.length === 0) return undefined;
  const names = candidatesOf(model).map(({ name }) => name.toLowerCase());
  return perModel.find((one) => names.some((name) => matchesWildcard(one.model.trim().toLowerCase(), name)));
};
