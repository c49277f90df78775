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

/** Every profile that ships, the default first. Profiles are data of this edition: no session is asked. */
export const listProfiles = (): readonly ProfileSummary[] =>
  PROFILES.map(({ name, mode, stages, description }) => ({ name, mode, stages, description }));

export type ExplainedField = {
  readonly field: string;
  readonly value: Profile[keyof Profile] | undefined;
  /** What it means, and what else it could be. */
  readonly says: string;
  readonly expects: string;
  /** The rules by which it counts: a heading of the guide to compaction. */
  readonly theme: ProfileTheme;
  /** Whether the default profile has the same value. */
  readonly isDefault: boolean;
};

/**
 * A profile field by field, in words.
 *
 * @throws {AppError} `unknown-profile`.
 */
export const explainProfile = (source: ProfileSource): readonly ExplainedField[] => {
  const values = new Map(Object.entries(resolveProfile(source)));
  const defaults = new Map(Object.entries(DEFAULT_PROFILE));
  return Object.entries(PROFILE_FIELDS).map(([field, { theme, says, expects }]) => {
    const value = values.get(field);
    const isDefault = JSON.stringify(value) === JSON.stringify(defaults.get(field));
    return { field, value, says, expects, theme, isDefault };
  });
};
