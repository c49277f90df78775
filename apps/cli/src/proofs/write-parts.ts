import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { AppError } from '@app/kernel';

/**
 * Writes a text that comes in parts; a file of that name is replaced once the new one is complete. Returns its size in bytes.
 * A killed process leaves a file whose name ends with `.unfinished`.
 *
 * @throws {AppError} `unwritable-file`, and the errors of `parts`.
 */
export const writeParts = async (file: string, parts: AsyncIterable<string>): Promise<number> => {
  const output = await regularFile(file);
  const draft = `${output}.${randomUUID().slice(0, 8)}.unfinished`;
  const written = await open(draft, 'wx').catch((cause: unknown) => {
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
      await written.writeFile(text);
    }
    await written.close();
    await rename(draft, output);
    return bytes;
  } catch (error) {
    await written.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
};

/** Returns the place of a file that may be replaced: that of a link is its target. */
const regularFile = async (file: string): Promise<string> => {
  const place = await realpath(file).catch(() => file);
  const found = await stat(place).catch(() => undefined);
  if (found === undefined || found.isFile()) return place;
  throw new AppError('unwritable-file', `${file} is no regular file: give the name of a file`);
};
