import { candidatesOf } from '../models/names.js';
import type { ModelOverrides, Profile } from './profile.js';

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

/** Returns whether `pattern`, in which `*` matches any characters, matches the whole text; linear in both. */
export const matchesWildcard = (pattern: string, text: string): boolean => {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
};
