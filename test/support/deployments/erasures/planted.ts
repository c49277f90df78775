import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the files below a folder that contain any of these texts, as UTF-8, UTF-16 or within base64, by the text. */
export const filesWith = async (
  folder: string,
  texts: readonly string[],
): Promise<Readonly<Record<string, string[]>>> => {
  const wanted = texts.map((text) => ({ text, forms: formsOf(text) }));
  const found: Record<string, string[]> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0)); // PostgreSQL removes files at any time.
    for (const { text, forms } of wanted) {
      if (!forms.some((form) => bytes.includes(form))) continue;
      found[text] ??= [];
      found[text].push(path);
    }
  }
  return found;
};

const formsOf = (text: string): readonly Buffer[] => [
  Buffer.from(text),
  Buffer.from(text, 'utf16le'),
  ...[0, 1, 2].map((offset) => {
    const base64 = Buffer.from(' '.repeat(offset) + text).toString('base64');
    return Buffer.from(base64.slice(offset === 0 ? 0 : 4, -4));
  }),
];
