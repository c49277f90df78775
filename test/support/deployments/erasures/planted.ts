import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

type Found = Readonly<Record<string, string[]>>;

/** Returns the files below a folder that contain any of these texts, as UTF-8, UTF-16 or within base64, by the text. */
export const filesWith = (folder: string, texts: readonly string[]): Promise<Found> =>
  filesWithForms(
    folder,
    texts.map((text) => ({ text, forms: formsOf(text) })),
  );

/** Returns the files below a folder that contain the first digits of the SHA-256 of any of these texts, by the text. */
export const filesWithDigest = (folder: string, texts: readonly string[]): Promise<Found> =>
  filesWithForms(
    folder,
    texts.map((text) => ({ text, forms: digestForms(text) })),
  );

/** A failed test prints the text. */
const SHOWN_CHARACTERS = 100;

const filesWithForms = async (
  folder: string,
  wanted: readonly { readonly text: string; readonly forms: readonly Buffer[] }[],
): Promise<Found> => {
  const found: Record<string, string[]> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0)); // PostgreSQL removes files at any time.
    for (const { text, forms } of wanted) {
      if (!forms.some((form) => bytes.includes(form))) continue;
      const shown = text.slice(0, SHOWN_CHARACTERS);
      found[shown] ??= [];
      found[shown].push(path);
    }
  }
  return found;
};

/** Bytes of a form: megabytes of ciphertext as base64 contain any four digits. */
const FORM_MIN_BYTES = 8;

const formsOf = (text: string): readonly Buffer[] => {
  const within = [0, 1, 2].map((offset) => {
    const base64 = Buffer.from(' '.repeat(offset) + text).toString('base64');
    return Buffer.from(base64.slice(offset === 0 ? 0 : 4, -4));
  });
  const forms = [Buffer.from(text), Buffer.from(text, 'utf16le'), ...within];
  if (forms.some(({ length }) => length < FORM_MIN_BYTES))
    throw new Error(`too short to search for: ${text}`);
  return forms;
};

/** Bytes of a digest that no other bytes of a data folder are likely to equal. */
const DIGEST_BYTES = 6;
/** Digits of the shortest digests in names, which follow a dash. */
const SUFFIX_DIGITS = 8;

const digestForms = (text: string): readonly Buffer[] => {
  const digest = createHash('sha256').update(text).digest();
  const first = digest.subarray(0, DIGEST_BYTES);
  return [
    first,
    Buffer.from(first.toString('hex')),
    ...(['base64', 'base64url'] as const).map((form) =>
      Buffer.from(digest.toString(form).slice(0, 2 * DIGEST_BYTES)),
    ),
    Buffer.from(`-${digest.toString('hex').slice(0, SUFFIX_DIGITS)}`),
  ];
};
