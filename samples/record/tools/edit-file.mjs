import { readFile, writeFile } from 'node:fs/promises';
import { placeOf } from './place.mjs';
import { ToolFailure } from './tool-failure.mjs';

export const editFile = {
  definition: {
    name: 'edit_file',
    description: 'Replaces one piece of a file by another. The old text must stand in the file exactly once.',
    input_schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Relative to the repository.' },
        old: { type: 'string', description: 'The text to replace, exactly as it stands in the file.' },
        new: { type: 'string', description: 'What to put in its place.' },
      },
      required: ['path', 'old', 'new'],
    },
  },

  /**
   * @param {string} root
   * @param {{ path: string, old: string, new: string }} input
   */
  run: async (root, { path, old, new: replacement }) => {
    const place = placeOf(root, path);
    const text = await readFile(place, 'utf8');
    const count = text.split(old).length - 1;
    if (count === 0) throw new ToolFailure(`the old text does not stand in ${path}: read the file again`);
    if (count > 1) throw new ToolFailure(`the old text stands in ${path} ${count} times: give more of it`);
    await writeFile(
      place,
      text.replace(old, () => replacement),
    );
    const line = text.slice(0, text.indexOf(old)).split('\n').length;
    return `${path} changed at line ${line}`;
  },
};
