import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { placeOf } from './place.mjs';

export const writeFileTool = {
  definition: {
    name: 'write_file',
    description: 'Writes a file, and makes its folder where there is none. An existing file is replaced.',
    input_schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Relative to the repository.' },
        content: { type: 'string', description: 'The whole new content.' },
      },
      required: ['path', 'content'],
    },
  },

  /**
   * @param {string} root
   * @param {{ path: string, content: string }} input
   */
  run: async (root, { path, content }) => {
    const place = placeOf(root, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, content);
    return `${path} written, ${content.split('\n').length - 1} lines`;
  },
};
