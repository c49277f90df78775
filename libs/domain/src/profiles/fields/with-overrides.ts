import { AppError, isJsonObject, type JsonObject, ownMember } from '@app/kernel';
import { PROFILE_FIELDS, type Profile } from '../profile.js';

/** Whether a profile has a field of that name. */
export const isField = (name: string): name is keyof Profile => Object.hasOwn(PROFILE_FIELDS, name);

/**
 * Returns a profile with changed fields.
 *
 * @throws {AppError} `invalid-settings`, with the field and its valid values.
 */
export const withOverrides = (profile: Profile, overrides: JsonObject): Profile => {
  for (const [name, value] of Object.entries(overrides)) {
    if (!isField(name)) {
      const names = Object.keys(PROFILE_FIELDS).join(', ');
      throw new AppError(
        'invalid-settings',
        `a profile has no field "${name.slice(0, 64)}": it has ${names}`,
      );
    }
    const { isValid, expects } = PROFILE_FIELDS[name];
    if (value === undefined || !isValid(value)) {
      throw new AppError('invalid-settings', `${name} takes ${expects}`);
    }
  }
  const changed: unknown = { ...profile, ...overrides };
  if (isProfile(changed)) return changed;
  throw new AppError('invalid-settings', 'a profile needs every one of its fields');
};

/** Whether `value` has every field of a profile, each with a value that it can have. */
const isProfile = (value: unknown): value is Profile =>
  isJsonObject(value) &&
  Object.entries(PROFILE_FIELDS).every(([name, { isValid }]) => {
    const field = ownMember(value, name);
    return field !== undefined && isValid(field);
  });
