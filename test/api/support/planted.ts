import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns whether bytes contain a text: as UTF-8 or UTF-16, or within base64 at any offset. */
const holds = (bytes: Buffer, text: string): boolean => formsOf(text).some((form) => bytes.includes(form));

const formsOf = (text: string): readonly Buffer[] => [
  Buffer.from(text),
  Buffer.from(text, 'utf16le'),
  ...[0, 1, 2].map((offset) => {
    const base64 = Buffer.from(' '.repeat(offset) + text).toString('base64');
    return Buffer.from(base64.slice(offset === 0 ? 0 : 4, -4));
  }),
];

/** Returns the files below a folder that contain a text, by the text. */
export const filesWith = async (
  folder: string,
  texts: readonly string[],
): Promise<Readonly<Record<string, string[]>>> => {
  const found: Record<string, string[]> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0)); // PostgreSQL removes files at any time.
    for (const text of texts) {
      if (!holds(bytes, text)) continue;
      found[text] ??= [];
      found[text].push(path);
    }
  }
  return found;
};
