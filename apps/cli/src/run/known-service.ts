import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, parseJson } from '@app/kernel';
import { z } from 'zod';

const record = z.object({ url: z.url(), pid: z.int() });
/** A service by its address and process. */
export type KnownService = z.infer<typeof record>;

/** Milliseconds to wait for an answer of a service on this machine. */
const ANSWER_MS = 3_000;

/** Returns the service that runs on a data folder, from the file that it wrote; `undefined` if none answers. */
export const serviceOn = async (folder: string): Promise<KnownService | undefined> => {
  const text = await readFile(join(folder, 'service.json'), 'utf8').catch(() => undefined);
  const known = record.safeParse(text === undefined ? undefined : parseJson(text)).data;
  return known && isAlive(known.pid) && (await answers(known.url)) ? known : undefined;
};

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
};

/** Whether a service of this product answers at a URL. */
export const answers = async (url: string): Promise<boolean> => {
  const live: unknown = await fetch(new URL('/health/live', url), { signal: AbortSignal.timeout(ANSWER_MS) })
    .then((answer) => answer.json())
    .catch(() => undefined);
  return Object(live).status === 'live';
};
