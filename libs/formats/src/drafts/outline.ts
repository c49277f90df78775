import { isJsonObject, type Json } from '@app/kernel';

/** Characters compared at either end of a text; the rest counts by its length. */
const ENDS = 16;
/** Maximum depth of compared objects and lists. */
const LEVELS = 6;

/**
 * Enough of a value to tell it from any other one that goes by the same id or time, in hardly more time than it takes to look
 * at it: a record may hold megabytes.
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
