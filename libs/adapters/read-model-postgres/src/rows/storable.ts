import { isJsonObject, toWellFormed } from '@app/kernel';

/**
 * Returns `text` in a form that PostgreSQL stores: NUL, which `text` and `jsonb` reject, and lone surrogates, which
 * UTF-8 lacks, become the Unicode replacement character.
 */
export const storableText = (text: string): string =>
  toWellFormed(text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text);

/** The same for every string in `value`, names of members included. */
export const storableJson = (value: unknown): unknown => {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storableJson);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [storableText(name), storableJson(member)]),
  );
};

/** How `JSON.stringify` writes NUL and lone surrogates; a backslash before such words matches, too. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/;

/** Returns the JSON text of {@link storableJson}; `undefined` if JSON has no text for `value`. */
export const storableJsonText = (value: unknown): string | undefined => {
  const text: string | undefined = JSON.stringify(value);
  return text !== undefined && UNSTORABLE.test(text) ? JSON.stringify(storableJson(value)) : text;
};
