import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@app/kernel';
import { z } from 'zod';
import { replaceFile } from '../servers/replace-file.js';

const FILE = 'manifest.json';

const file = z.object({
  /** Below the folder of the backup. */
  file: z.string().regex(/^[A-Za-z0-9._/-]+$/),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
const position = z.string().regex(/^\d{1,20}$/);
const manifest = z.object({
  format: z.literal(1),
  startedAt: z.iso.datetime(),
  /** Of the newest run that was complete; `null` before the first. */
  completedAt: z.iso.datetime().nullable(),
  log: z.object({
    /** Of the newest event. */
    position: position.nullable(),
    events: z.int().min(0),
    /** In the order of the log. */
    segments: z.array(file.extend({ events: z.int().min(1), from: position, to: position })),
  }),
  /** Rows that cannot be rebuilt from the log; never newer than the log. */
  state: file.nullable(),
  /** The list of contents beside the log: each is the file `blobs/` and its digest. */
  blobs: file.nullable(),
});
const checked = z.object({ sha256: z.string(), manifest });

export type BackupFile = z.output<typeof file>;

export type Manifest = z.output<typeof manifest>;

export const newManifest = (startedAt: string): Manifest => ({
  format: 1,
  startedAt,
  completedAt: null,
  log: { position: null, events: 0, segments: [] },
  state: null,
  blobs: null,
});

const digestOf = (value: Manifest): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');

/**
 * Returns the manifest of a backup; `undefined` where there is none.
 *
 * @throws {AppError} `backup-damaged`.
 */
export const readManifest = async (folder: string): Promise<Manifest | undefined> => {
  const path = join(folder, FILE);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new AppError('unreadable-file', `${path} cannot be read`, { cause: error });
  }
  const read = checked.safeParse(jsonIn(text)).data;
  if (!read || digestOf(read.manifest) !== read.sha256)
    throw new AppError('backup-damaged', `${path} is damaged: it is not as a backup has written it`);
  return read.manifest;
};

export const writeManifest = (folder: string, value: Manifest): Promise<void> =>
  replaceFile(
    join(folder, FILE),
    `${JSON.stringify({ sha256: digestOf(value), manifest: value }, null, 2)}\n`,
  );

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
