import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** File in the data folder with the address of its running service, by which `palimpsest run` and `doctor` find it. */
const FILE = 'service.json';

/**
 * Writes the address of the service into its data folder, which embedded servers have created and locked. Returns a function
 * that removes the file. Without embedded servers there is no folder, and a failed write is ignored: nothing depends on it.
 */
export const announce = async (folder: string, url: string): Promise<() => Promise<void>> => {
  const file = join(folder, FILE);
  const record = JSON.stringify({ url, pid: process.pid });
  await writeFile(`${file}.new`, `${record}\n`)
    .then(() => rename(`${file}.new`, file))
    .catch(() => undefined);
  return () => rm(file, { force: true }).catch(() => undefined);
};
