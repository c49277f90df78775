import { readFile } from 'node:fs/promises';
import { placeOf } from './place.mjs';
import { filesBelow } from './walk.mjs';

export const listFiles = {
  definition: {
    name: 'list_files',
    description: 'Lists the files below a folder of the repository, each with its number of lines.',
    input_schema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'A folder, relative to the repository.' } },
      required: ['path'],
    },
  },

  /**
   * @param {string} root
   * @param {{ path: string }} input
   */
  run: async (root, { path }) => {
    placeOf(root, path);
    const files = await filesBelow(root, path);
    const lines = await Promise.all(
      files.map(async (file) => {
        const count = (await readFile(placeOf(root, file), 'utf8')).split('\n').length - 1;
        return `${String(count).padStart(5)}  ${file}`;
      }),
    );
    return [...lines, `${files.length} files`].join('\n');
  },
};
