import type { JsonObject } from '@app/kernel';

/** The rules that a field belongs to: the headings under which the guide to compaction explains them. */
export type ProfileTheme = 'name' | 'budget' | 'triggers' | 'cut' | 'size' | 'stages' | 'summary' | 'failure';

/** The values of a profile field, its description, and its rules. */
export type ProfileField<Value = unknown> = {
  readonly theme: ProfileTheme;
  readonly isValid: (value: unknown) => value is Value;
  /** JSON Schema of its values, without the rules that it cannot state. */
  readonly schema: JsonObject;
  readonly expects: string;
  readonly description: string;
};
/** A field without its rules. */
export type Values<Value> = Omit<ProfileField<Value>, 'theme'>;

export const share = (description: string): Values<number> => ({
  isValid: (value): value is number => typeof value === 'number' && value >= 0 && value <= 1,
  schema: { type: 'number', minimum: 0, maximum: 1 },
  expects: 'a number from 0 to 1',
  description,
});

export const whole = (description: string, least = 0): Values<number> => ({
  isValid: (value): value is number => Number.isSafeInteger(value) && Number(value) >= least,
  schema: { type: 'integer', minimum: least },
  expects: `a whole number from ${least}`,
  description,
});

export const text = (description: string): Values<string> => ({
  isValid: (value): value is string => typeof value === 'string' && value !== '' && value.length <= 500,
  schema: { type: 'string', minLength: 1, maxLength: 500 },
  expects: 'a text of 500 characters at most',
  description,
});

export const yesOrNo = (description: string): Values<boolean> => ({
  isValid: (value): value is boolean => typeof value === 'boolean',
  schema: { type: 'boolean' },
  expects: 'true or false',
  description,
});

export const oneOf = <const Word extends string>(
  description: string,
  ...words: readonly Word[]
): Values<Word> => ({
  isValid: (value): value is Word => words.some((word) => word === value),
  schema: { enum: words },
  expects: `one of ${words.join(', ')}`,
  description,
});

/** A list of distinct texts; `words` are the valid ones, if restricted. */
export const listOf = <const Word extends string = string>(
  description: string,
  expects: string,
  words?: readonly Word[],
): Values<readonly Word[]> => ({
  isValid: (value): value is readonly Word[] =>
    Array.isArray(value) &&
    value.length <= 100 &&
    new Set(value).size === value.length &&
    value.every(
      (one) =>
        typeof one === 'string' &&
        one !== '' &&
        one.length <= 200 &&
        (words?.some((word) => word === one) ?? true),
    ),
  schema: { type: 'array', items: words ? { enum: words } : { type: 'string' }, maxItems: 100 },
  expects,
  description,
});
