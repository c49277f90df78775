import type { JsonObject } from '@app/kernel';
import { memberRanges } from '../raw/ranges.js';
import { spliced } from '../raw/splice.js';

/** The text of a request with one more tool behind its own; every other byte stays as it is. */
export const withTool = (text: string, tool: JsonObject): string => {
  const range = memberRanges(text).get('tools');
  const own = range ? text.slice(range.start, range.end) : '[]';
  const json = JSON.stringify(tool);
  if (!own.startsWith('[')) return spliced(text, [{ member: 'tools', json: `[${json}]` }]);
  const isEmpty = own.slice(1, -1).trim() === '';
  const tools = isEmpty ? `[${json}]` : `${own.slice(0, -1).trimEnd()},${json}]`;
  return spliced(text, [{ member: 'tools', json: tools }]);
};
