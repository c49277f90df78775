import { readFile } from 'node:fs/promises';
import { placeOf } from './place.mjs';
import { filesBelow } from './walk.mjs';

/** Matching lines that one search shows at most. */
const MATCHES_MAX = 200;

export const search = {
  definition: {
    name: 'search',
    description: 'Finds the lines that match a regular expression, with lines around them if asked for.',
    input_schema: {
      type: 'object',
      properties: {
        pattern: { type: 'string', description: 'A JavaScript regular expression.' },
        path: {
          type: 'string',
          description: 'A file or folder; the whole repository where it is not given.',
        },
        context: { type: 'integer', description: 'Lines to show before and after each match; 0 by default.' },
      },
      required: ['pattern'],
    },
  },

  /**
   * @param {string} root
   * @param {{ pattern: string, path?: string, context?: number }} input
   */
  run: async (root, { pattern, path = '.', context = 0 }) => {
    const expression = new RegExp(pattern);
    const shown = [];
    let matches = 0;
    for (const file of await filesBelow(root, path)) {
      const lines = (await readFile(placeOf(root, file), 'utf8')).split('\n');
      const found = lines.flatMap((line, at) => (expression.test(line) ? [at] : []));
      const taken = found.slice(0, Math.max(0, MATCHES_MAX - matches));
      matches += found.length;
      if (taken.length > 0) shown.push(`${file}\n${excerpt(lines, taken, context)}`);
    }
    if (matches === 0) return 'no matches';
    const rest = matches > MATCHES_MAX ? `\n[${matches - MATCHES_MAX} more matches are not shown]` : '';
    return `${shown.join('\n\n')}\n\n${matches} matching lines in ${shown.length} files${rest}`;
  },
};

/**
 * Numbered lines, `:` after the number of a match and `-` after that of its surroundings.
 *
 * @param {string[]} lines
 * @param {number[]} found
 * @param {number} context
 */
const excerpt = (lines, found, context) => {
  const isMatch = new Set(found);
  const near = lines.flatMap((_, at) => (found.some((one) => Math.abs(one - at) <= context) ? [at] : []));
  return near
    .map((at, index) => {
      const gap = context > 0 && index > 0 && near[index - 1] !== at - 1 ? '  …\n' : '';
      return `${gap}  ${at + 1}${isMatch.has(at) ? ':' : '-'} ${lines[at]}`;
    })
    .join('\n');
};
