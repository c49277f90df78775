import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { AppError } from '@app/kernel';

/**
 * Writes a text that comes in parts; a file of that name is replaced once the new one is complete. Returns its size in bytes.
 *
 * @throws {AppError} `unwritable-file`, and what `parts` throw.
 */
export const writeParts = async (output: string, parts: AsyncIterable<string>): Promise<number> => {
  const draft = `${output}.${randomUUID().slice(0, 8)}`;
  const file = await open(draft, 'wx').catch((cause: unknown) => {
    throw new AppError(
      'unwritable-file',
      `${output} cannot be written: give a file in a folder that exists`,
      {
        cause,
      },
    );
  });
  let bytes = 0;
  try {
    for await (const part of parts) {
      const text = Buffer.from(part);
      bytes += text.length;
      await file.writeFile(text);
    }
    await file.close();
    await rename(draft, output);
    return bytes;
  } catch (error) {
    await file.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
};
