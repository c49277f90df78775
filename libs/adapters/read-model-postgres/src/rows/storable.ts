import { isJsonObject, toWellFormed } from '@app/kernel';

/**
 * `text` as PostgreSQL can keep it: neither `text` nor `jsonb` takes the character NUL, and UTF-8 has no lone
 * surrogates. Each of them becomes the Unicode replacement character, so that what is wrong stays visible.
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
