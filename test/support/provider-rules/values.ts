import { isJsonObject, isWellFormed, type JsonObject } from '@app/kernel';

/** What a provider would refuse, as `place: rule`; none where it would accept. */
export type Faults = readonly string[];

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const objectOf = (value: unknown): JsonObject => (isJsonObject(value) ? value : {});
export const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === '';
export const isPositiveInteger = (value: unknown): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0;

/** Members that are not in `allowed`: providers refuse them ("Extra inputs are not permitted"). */
export const extraMembers = (where: string, value: JsonObject, allowed: readonly string[]): Faults =>
  Object.keys(value)
    .filter((key) => !allowed.includes(key))
    .map((key) => `${where}: has an extra member ${key}`);

/** `fault` where the rule does not hold. */
export const unless = (holds: boolean, fault: string): Faults => (holds ? [] : [fault]);

/** The second and later ones of equal values. */
export const repeatedIn = (values: readonly unknown[]): readonly unknown[] =>
  values.filter((value, at) => values.indexOf(value) !== at);

/** Whether the body survives being sent: it is the same after JSON, and valid UTF-8. */
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
