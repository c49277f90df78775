import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { replaceFile } from './replace-file.js';

/** Beside the embedded servers, as long as they run: the addresses at which their owner can be joined. */
const FILE = 'servers.json';
const addresses = z.object({ pid: z.int().min(1), eventStoreUrl: z.string(), postgresUrl: z.string() });

type Addresses = z.output<typeof addresses>;

/** Returns the addresses of servers that run on a data folder; `undefined` if none are known to run. */
export const announcedServers = async (folder: string): Promise<Addresses | undefined> => {
  const text = await readFile(join(folder, FILE), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const found = addresses.parse(JSON.parse(text));
    process.kill(found.pid, 0); // Throws if the process has ended.
    return found;
  } catch {
    return undefined;
  }
};

/** Names running servers in their data folder, for its owner alone: the file contains a password. */
export const announceServers = async (
  folder: string,
  { eventStoreUrl, postgresUrl }: Omit<Addresses, 'pid'>,
): Promise<void> =>
  replaceFile(join(folder, FILE), `${JSON.stringify({ pid: process.pid, eventStoreUrl, postgresUrl })}\n`);

export const withdrawServers = (folder: string): Promise<void> => rm(join(folder, FILE), { force: true });
