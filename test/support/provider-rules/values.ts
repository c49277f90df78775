import { isJsonObject, isWellFormed, type JsonObject } from '@app/kernel';

/** Reasons for a provider to reject a value, as `place: rule`; empty if valid. */
export type Faults = readonly string[];

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
export const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === '';
export const isPositiveInteger = (value: unknown): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

/** Returns members outside `allowed`, which providers reject ("Extra inputs are not permitted"). */
export const extraMembers = (where: string, value: JsonObject, allowed: readonly string[]): Faults =>
  Object.keys(value)
    .filter((key) => !allowed.includes(key))
    .map((key) => `${where}: has an extra member ${key}`);

/** Returns `fault` unless the rule holds. */
export const unless = (holds: boolean, fault: string): Faults => (holds ? [] : [fault]);

/** Returns the second and later occurrences of equal values. */
export const repeatedIn = (values: readonly unknown[]): readonly unknown[] =>
  values.filter((value, at) => values.indexOf(value) !== at);

/**
 * Returns faults of a body that does not survive serialization: it must equal itself after JSON, and be valid UTF-8.
 */
export const wireFaults = (body: unknown): Faults => {
  const text = JSON.stringify(body);
  const isSame = JSON.stringify(JSON.parse(text)) === text;
  return [
    ...unless(isSame, 'body: changes when it is sent'),
    ...strings(body).flatMap((one) => unless(isWellFormed(one), 'body: holds a lone surrogate')),
  ];
};

const strings = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(strings);
  return isJsonObject(value) ? [...Object.keys(value), ...Object.values(value).flatMap(strings)] : [];
};
