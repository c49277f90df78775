import { candidatesOf } from '../../models/names.js';
import type { ModelOverrides, Profile } from '../profile.js';

/** A profile as it holds for a model: with the fields of the first of its overrides that names the model. */
export const profileFor = (profile: Profile, model: string): Profile => {
  const overrides = overridesFor(profile, model);
  if (!overrides) return profile;
  const { model: _, ...fields } = overrides;
  return { ...profile, ...fields };
};

/** The overrides of a profile that hold for a model; `undefined` where none of them names it. */
export const overridesFor = ({ perModel }: Profile, model: string): ModelOverrides | undefined => {
  if (perModel.length === 0) return undefined;
  const names = candidatesOf(model).map(({ name }) => name.toLowerCase());
  return perModel.find((one) => names.some((name) => isNamedBy(one.model.trim().toLowerCase(), name)));
};

/** Whether `pattern`, in which `*` stands for any characters, is all of a name; in time linear to both. */
const isNamedBy = (pattern: string, name: string): boolean => {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || name.length < first.length + last.length || !name.endsWith(last))
    return false;
  const end = name.length - last.length;
  let at = first.length;
  for (const part of others) {
    const found = name.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
};
