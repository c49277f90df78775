import type { JsonObject } from '@app/kernel';
import { memberRanges, type Range } from '../raw/ranges.js';
import type { Replacement } from '../raw/splice.js';

/**
 * Returns the tools of a request with one more behind its own, whose bytes stay as they are.
 *
 * @param known the range of a long value of the request, if it is known.
 */
export const withTool = (text: string, tool: JsonObject, known?: Range): Replacement => {
  const range = memberRanges(text, known).get('tools');
  const own = range ? text.slice(range.start, range.end) : '[]';
  const json = JSON.stringify(tool);
  const isEmpty = !own.startsWith('[') || own.slice(1, -1).trim() === '';
  return { member: 'tools', json: isEmpty ? `[${json}]` : `${own.slice(0, -1).trimEnd()},${json}]` };
};
