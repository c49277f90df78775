import { randomUUID } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { AppError, codeOf, parseJson, unreadableFile } from '@app/kernel';
import type { VerifiedHead } from '@app/proof';
import { z } from 'zod';

const memoryShape = z.object({
  form: z.literal('palimpsest/heads/v1'),
  heads: z.array(
    z.object({ origin: z.string(), size: z.int().min(0), root: z.string(), keys: z.array(z.string()) }),
  ),
});

/**
 * Reads the heads of logs that earlier verifications have accepted, one for each log; a file that does not exist has none.
 *
 * @throws {AppError} `unreadable-file`, `invalid-settings`.
 */
export const readMemory = async (file: string): Promise<readonly VerifiedHead[]> => {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unreadableFile(file, error);
  });
  if (text === undefined) return [];
  const parsed = memoryShape.safeParse(parseJson(text));
  if (parsed.success) return parsed.data.heads;
  throw new AppError(
    'invalid-settings',
    `${file} holds no verified heads: give the file of an earlier --remember, or one that does not exist`,
  );
};

/** Keeps heads, unless a larger one of a log is known. @throws {AppError} `unwritable-file`. */
export const remember = async (
  file: string,
  heads: readonly VerifiedHead[],
  ...added: readonly VerifiedHead[]
): Promise<void> => {
  const known = new Map(heads.map((head) => [head.origin, head]));
  for (const head of added)
    if (head.size >= (known.get(head.origin)?.size ?? 0)) known.set(head.origin, head);
  const draft = `${file}.${randomUUID().slice(0, 8)}`;
  const kept = { form: 'palimpsest/heads/v1', heads: [...known.values()] };
  try {
    await writeFile(draft, `${JSON.stringify(kept, undefined, 2)}\n`, { flush: true });
    await rename(draft, file);
  } catch (cause) {
    throw new AppError('unwritable-file', `${file} cannot be written: give a file in a folder that exists`, {
      cause,
    });
  }
};
