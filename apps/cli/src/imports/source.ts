import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { AppError, unreadableFile } from '@app/kernel';

/** A transcript on this computer that can be read repeatedly from its start. */
export type Source = {
  /** Name of the file, which becomes the ID of a session without one. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly bytes: () => AsyncIterable<Uint8Array>;
};

/** @throws {AppError} `unreadable-file`, also while its bytes are read. */
export const fileSource = async (file: string): Promise<Source> => ({
  name: file,
  size: await sizeOf(file),
  bytes: () => bytesOf(file),
});

const sizeOf = async (file: string): Promise<number> => {
  try {
    const found = await stat(file);
    if (!found.isFile())
      throw new AppError('unreadable-file', `${file} is neither a file nor a folder of files`);
    return found.size;
  } catch (error) {
    throw unreadableFile(file, error);
  }
};

/** Bytes read at once; other work of the process runs between two reads. */
const CHUNK_BYTES = 256 * 1024;

async function* bytesOf(file: string): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) yield chunk;
  } catch (error) {
    throw unreadableFile(file, error);
  }
}
