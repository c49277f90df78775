import { AppError, isJsonObject, type Json, type JsonObject } from '@app/kernel';
import type { Profile } from '../profile.js';

/** What a field of a profile may hold, and what it means, in words for people. */
export type ProfileField = {
  readonly isValid: (value: Json) => boolean;
  readonly expects: string;
  readonly says: string;
};

const share = (says: string): ProfileField => ({
  isValid: (value) => typeof value === 'number' && value >= 0 && value <= 1,
  expects: 'a number from 0 to 1',
  says,
});
const whole = (says: string, least = 0): ProfileField => ({
  isValid: (value) => Number.isSafeInteger(value) && Number(value) >= least,
  expects: `a whole number from ${least}`,
  says,
});
const text = (says: string): ProfileField => ({
  isValid: (value) => typeof value === 'string' && value !== '' && value.length <= 500,
  expects: 'a text of 500 characters at most',
  says,
});
const oneOf = (says: string, ...words: readonly string[]): ProfileField => ({
  isValid: (value) => typeof value === 'string' && words.includes(value),
  expects: `one of ${words.join(', ')}`,
  says,
});

const STAGES = ['drop-tool-outputs', 'summarize'];

/** Every field; one that is missing here does not compile. */
export const PROFILE_FIELDS: Readonly<Record<keyof Profile, ProfileField>> = {
  name: text('Its name.'),
  description: text('What it is for.'),
  mode: oneOf(
    'Whether a compaction starts by itself, or only on the user’s word.',
    'automatic',
    'authorized',
  ),
  warnAt: share('Share of the window at which the state becomes warning.'),
  triggerAt: share('Share of the window at which an automatic compaction is asked for.'),
  requireAt: share('Share of the window at which the state becomes critical.'),
  blockAt: share('Share of the window at which the state becomes blocking.'),
  targetShare: share('A compaction aims at this share of its trigger.'),
  gainShare: share('A compaction must leave at most this share of what there was before.'),
  keepRecentTurns: whole('The newest turns, which stay word for word.', 1),
  protection: oneOf(
    'Whether protected turns shrink where they alone exceed the target, or the compaction is refused.',
    'yields',
    'strict',
  ),
  outputCap: whole('Tokens reserved for the answer, at most.'),
  outputShare: share('The same as a share of the window; the smaller one counts.'),
  summaryTokensMax: whole('Tokens of a summary, at most.', 1),
  summaryShare: share('The same as a share of the window; the smaller one counts.'),
  stages: {
    isValid: (value) =>
      Array.isArray(value) &&
      value.length > 0 &&
      new Set(value).size === value.length &&
      value.every((stage) => typeof stage === 'string' && STAGES.includes(stage)),
    expects: `a list of ${STAGES.join(', ')}, each once at most`,
    says: 'What runs, in this order, until the target is reached.',
  },
  toolOutputs: oneOf('What becomes of tool outputs outside the protected turns.', 'summarized', 'dropped'),
  reasoning: oneOf('What becomes of reasoning outside the protected turns.', 'summarized', 'dropped'),
  summarizer: oneOf('What writes the summary.', 'extractive'),
  attemptsMax: whole('Tries of one compaction before it is given up.', 1),
  breakerAfter: whole(
    'Compactions that fail in a row before automatic ones stop until there is something new.',
    1,
  ),
  unknownWindow: {
    isValid: (value) => value === 'refuse' || (Number.isSafeInteger(value) && Number(value) > 0),
    expects: 'a whole number above 0, or refuse',
    says: 'The window to believe in where nobody knows the model’s; or no session at all.',
  },
};

const isField = (name: string): name is keyof Profile => Object.hasOwn(PROFILE_FIELDS, name);

/**
 * A profile with some of its fields set anew.
 *
 * @throws {AppError} `invalid-settings`, with the field and what it takes.
 */
export const withOverrides = (profile: Profile, overrides: JsonObject): Profile => {
  for (const [name, value] of Object.entries(overrides)) {
    if (!isField(name)) {
      const names = Object.keys(PROFILE_FIELDS).join(', ');
      throw new AppError('invalid-settings', `a profile has no field "${name}": it has ${names}`);
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
    const field = value[name];
    return field !== undefined && isValid(field);
  });
