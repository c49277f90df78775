import { isJsonObject, type Json } from '@app/kernel';

/** Characters compared at either end of a text; the rest counts by its length. */
const ENDS = 16;
/** Maximum depth of compared objects and lists. */
const LEVELS = 6;

/**
 * Returns a short text that distinguishes a value from others with the same id or time, in little more than one pass:
 * a record may have megabytes.
 */
export const outlineOf = (value: Json | undefined, levels = LEVELS): string => {
  if (typeof value === 'string')
    return value.length <= 2 * ENDS
      ? value
      : `${value.length}${value.slice(0, ENDS)}${value.slice(value.length - ENDS)}`;
  if (levels === 0) return '';
  if (Array.isArray(value)) return `[${value.map((item: Json) => outlineOf(item, levels - 1)).join()}]`;
  if (!isJsonObject(value)) return String(value);
  let outline = '{';
  for (const [name, member] of Object.entries(value)) outline += `${name}:${outlineOf(member, levels - 1)},`;
  return `${outline}}`;
};
