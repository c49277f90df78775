import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@app/kernel';
import { z } from 'zod';

const ownerFile = z.object({ pid: z.number().int().positive(), startedAt: z.string() });

/**
 * Says in the folder who uses it, so that the next one knows whether to wait for servers that are going, or to give
 * up at once. It is a notice, not a lock: the servers hold those themselves.
 *
 * @throws {AppError} `data-folder-in-use` where a living process has put its notice up.
 */
export const takeNotice = async (folder: string): Promise<() => Promise<void>> => {
  const path = join(folder, 'owner.json');
  const owner = ownerFile.safeParse(parse(await readFile(path, 'utf8').catch(() => 'null')));
  if (
    owner.success &&
    owner.data.pid !== process.pid &&
    (await startOf(owner.data.pid)) === owner.data.startedAt
  ) {
    const message = `${folder} is in use by process ${owner.data.pid}: wait for it, or choose another folder with --data`;
    throw new AppError('data-folder-in-use', message);
  }
  await writeFile(path, `${JSON.stringify({ pid: process.pid, startedAt: await startOf(process.pid) })}\n`);
  return () => rm(path, { force: true });
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Tells a process from another that got its number later; `undefined` where there is none. */
const startOf = async (pid: number): Promise<string | undefined> => {
  try {
    process.kill(pid, 0);
  } catch {
    return undefined;
  }
  // Field 22 of /proc/PID/stat, after the name in parentheses. Elsewhere than on Linux the number has to do.
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'unknown';
};
