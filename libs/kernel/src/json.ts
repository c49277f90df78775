/** A value that JSON can hold. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };
export type JsonObject = { readonly [key: string]: Json | undefined };

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the own member of `record` with an external name; `undefined` without one. `record[name]` would also find
 * members of Object.prototype (`constructor`, `toString`, `__proto__`).
 */
export const ownMember = <Value>(
  record: { readonly [name: string]: Value },
  name: string,
): Value | undefined => (Object.hasOwn(record, name) ? record[name] : undefined);

/** Sets a member of `record` by any name, `__proto__` too: an assignment would change its prototype. */
export const setMember = <Value>(record: { [name: string]: Value }, name: string, value: Value): void => {
  Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
};

/** The JSON value of a text, or the reason why it cannot be recorded, as a predicate: "it …". */
export type ReadJson = { readonly value: Json } | { readonly fault: string };

/**
 * Parses external JSON, at every entrance. Rejects numbers beyond a double (`1e400`), which could not be written
 * again; `__proto__` is an ordinary name; strings may contain NUL and lone surrogates.
 */
export const readJson = (text: string): ReadJson => {
  try {
    const value: Json = JSON.parse(text);
    return hasFiniteNumbers(value) ? { value } : { fault: HUGE_NUMBER };
  } catch {
    return { fault: 'is no JSON' };
  }
};
export const HUGE_NUMBER = 'has a number beyond 1.8e308: write it as a string';

/** Returns all strings in `value`, without names of members. */
export const stringsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
};

/** Whether every number in `value` can be written as JSON again. */
export const hasFiniteNumbers = (value: unknown): boolean => {
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'number' && !Number.isFinite(next)) return false;
    if (typeof next !== 'object' || next === null) continue;
    for (const member of Object.values(next))
      if (typeof member === 'number' || (typeof member === 'object' && member !== null)) waiting.push(member);
  }
  return true;
};

/**
 * Returns the bytes of `value`: UTF-8 bytes of strings and names, and eight for any other value. Stops counting at
 * `enough`.
 */
export const weightOf = (value: unknown, enough = Number.POSITIVE_INFINITY): number => {
  let bytes = 0;
  const waiting = [value];
  while (waiting.length > 0 && bytes < enough) {
    const next = waiting.pop();
    // UTF-8 has one byte or more for each UTF-16 unit: a string longer than the limit is rejected without a walk.
    if (typeof next === 'string') bytes += next.length >= enough ? next.length : Buffer.byteLength(next);
    else bytes += 8;
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) for (const name of Object.keys(next)) bytes += Buffer.byteLength(name);
    for (const member of Object.values(next)) waiting.push(member);
  }
  return bytes;
};

/** Returns the value of `text` by {@link readJson}; `undefined` if it is invalid. */
export const parseJson = (text: string): Json | undefined => {
  const read = readJson(text);
  return 'value' in read ? read.value : undefined;
};

/** Returns the JSON object of `text`; `undefined` for another value or invalid JSON. */
export const parseJsonObject = (text: string): JsonObject | undefined => {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
};

/** Returns JSON with sorted keys and no blanks: equal values have equal bytes, in any key order. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member === undefined) continue;
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return `{${members}}`;
};

/** Whether two values have the same {@link canonicalJson}; compares texts without writing them. */
export const isSameJson = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => isSameJson(item ?? null, b[at] ?? null));
  if (isJsonObject(a) && isJsonObject(b)) {
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...names].every((name) => isSameJson(ownMember(a, name), ownMember(b, name)));
  }
  if (typeof a !== typeof b || typeof a === 'string' || a === undefined) return false;
  return canonicalJson(a) === canonicalJson(b);
};
