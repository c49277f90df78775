import type { ExplainedField, ProfileSummary } from '@app/contract';
import { DEFAULT_PROFILE, PROFILE_FIELDS, PROFILES, type ProfileSource, resolveProfile } from '@app/domain';

/** Returns the built-in profiles, the default first. */
export const listProfiles = (): readonly ProfileSummary[] =>
  PROFILES.map(({ name, mode, stages, description }) => ({ name, mode, stages, description }));

/** Explains a profile field by field. @throws {AppError} `unknown-profile`. */
export const explainProfile = (source: ProfileSource): readonly ExplainedField[] => {
  const values = new Map(Object.entries(resolveProfile(source)));
  const defaults = new Map(Object.entries(DEFAULT_PROFILE));
  return Object.entries(PROFILE_FIELDS).map(([field, { theme, description, expects }]) => {
    const value = values.get(field);
    const isDefault = JSON.stringify(value) === JSON.stringify(defaults.get(field));
    return { field, ...(value !== undefined && { value }), description, expects, theme, isDefault };
  });
};
