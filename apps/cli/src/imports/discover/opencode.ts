import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Source } from '../source.js';

/**
 * Reads an OpenCode session, stored as one file per message and per part, as its export. Keeps one message in memory at
 * a time.
 *
 * @param file the session's file in `storage/session/PROJECT/`.
 */
export const openCodeSource = async (file: string): Promise<Source> => {
  const storage = join(file, '..', '..', '..');
  const messages = join(storage, 'message', basename(file, '.json'));
  const names = await jsonIn(messages);
  return { name: file, size: 0, bytes: () => exported(file, messages, names, storage) };
};

async function* exported(
  file: string,
  folder: string,
  names: readonly string[],
  storage: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(`{"info":${await readFile(file, 'utf8')},"messages":[`);
  for (const [at, name] of names.entries()) {
    const parts = join(storage, 'part', basename(name, '.json'));
    const texts = await Promise.all((await jsonIn(parts)).map((part) => readFile(join(parts, part), 'utf8')));
    const info = await readFile(join(folder, name), 'utf8');
    yield Buffer.from(`${at > 0 ? ',' : ''}\n{"info":${info},"parts":[${texts.join(',')}]}`);
  }
  yield Buffer.from(']}');
}

/** Returns JSON files sorted by name: IDs ascend with time. */
const jsonIn = async (folder: string): Promise<readonly string[]> => {
  const names = await readdir(folder).catch((): string[] => []);
  return names.filter((name) => name.endsWith('.json')).sort();
};
