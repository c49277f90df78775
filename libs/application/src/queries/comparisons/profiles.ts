import {
  DEFAULT_PROFILE,
  PROFILE_FIELDS,
  PROFILES,
  type Profile,
  type ProfileSource,
  type ProfileTheme,
  resolveProfile,
} from '@app/domain';

export type ProfileSummary = Pick<Profile, 'name' | 'mode' | 'stages' | 'description'>;

/** Returns the built-in profiles, the default first. */
export const listProfiles = (): readonly ProfileSummary[] =>
  PROFILES.map(({ name, mode, stages, description }) => ({ name, mode, stages, description }));

export type ExplainedField = {
  readonly field: string;
  readonly value: Profile[keyof Profile] | undefined;
  /** Its meaning and its valid values. */
  readonly says: string;
  readonly expects: string;
  /** Group of rules: a heading of the compaction guide. */
  readonly theme: ProfileTheme;
  /** Whether the value equals that of the default profile. */
  readonly isDefault: boolean;
};

/** Explains a profile field by field. @throws {AppError} `unknown-profile`. */
export const explainProfile = (source: ProfileSource): readonly ExplainedField[] => {
  const values = new Map(Object.entries(resolveProfile(source)));
  const defaults = new Map(Object.entries(DEFAULT_PROFILE));
  return Object.entries(PROFILE_FIELDS).map(([field, { theme, says, expects }]) => {
    const value = values.get(field);
    const isDefault = JSON.stringify(value) === JSON.stringify(defaults.get(field));
    return { field, value, says, expects, theme, isDefault };
  });
};
