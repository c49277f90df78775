import { readFile } from 'node:fs/promises';
import { placeOf } from './place.mjs';
import { ToolFailure } from './tool-failure.mjs';

/** Lines that one call shows at most. */
const LINES_MAX = 250;

export const readFileTool = {
  definition: {
    name: 'read_file',
    description: 'Reads a text file of the repository, with line numbers.',
    input_schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Relative to the repository.' },
        offset: { type: 'integer', description: 'The first line to show; 1 by default.' },
        limit: { type: 'integer', description: `Lines to show at most; ${LINES_MAX} by default.` },
      },
      required: ['path'],
    },
  },

  /**
   * @param {string} root
   * @param {{ path: string, offset?: number, limit?: number }} input
   */
  run: async (root, { path, offset = 1, limit = LINES_MAX }) => {
    const text = await readFile(placeOf(root, path), 'utf8').catch((error) => {
      if (error.code === 'ENOENT') throw new ToolFailure(`${path} does not exist`);
      throw error;
    });
    const lines = text.replace(/\n$/, '').split('\n');
    const end = Math.min(lines.length, offset - 1 + limit);
    const shown = lines
      .slice(offset - 1, end)
      .map((line, at) => `${String(offset + at).padStart(4)}  ${line}`);
    const rest = end < lines.length ? [`[${lines.length - end} more lines]`] : [];
    return [...shown, ...rest].join('\n');
  },
};
