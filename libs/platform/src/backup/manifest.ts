import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, codeOf, parseJson, unreadableFile } from '@app/kernel';
import { z } from 'zod';
import { replaceFile } from '../servers/replace-file.js';

/** Names a complete backup, and is replaced when the next run is complete. */
const FILE = 'manifest.json';
/** Names the part of the log that a stopped run has left, where the next one goes on. */
const DRAFT = 'unfinished.json';

const file = z.object({
  /** Below the folder of the backup. */
  file: z.string().regex(/^[A-Za-z0-9._/-]+$/),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
const position = z.string().regex(/^\d{1,20}$/);
const manifest = z.object({
  format: z.literal(1),
  /** Its id. */
  installation: z.string(),
  startedAt: z.iso.datetime(),
  /** `null` until the first run is complete. */
  completedAt: z.iso.datetime().nullable(),
  log: z.object({
    /** Position of the newest event. */
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

export const newManifest = (installation: string, startedAt: string): Manifest => ({
  format: 1,
  installation,
  startedAt,
  completedAt: null,
  log: { position: null, events: 0, segments: [] },
  state: null,
  blobs: null,
});

/**
 * Returns where the next run begins: at the end of a stopped one, or of the complete backup.
 *
 * @throws {AppError} `backup-damaged`; `unreadable-file`.
 */
export const readProgress = async (folder: string): Promise<Manifest | undefined> =>
  (await read(folder, DRAFT)) ?? (await read(folder, FILE));

/** @throws {AppError} `backup-damaged` where there is no backup, or none that was ever complete. */
export const completeManifest = async (folder: string): Promise<Manifest> => {
  const manifest = await read(folder, FILE);
  if (manifest) return manifest;
  if (await read(folder, DRAFT))
    throw new AppError(
      'backup-damaged',
      `${folder} is not complete: the backup was stopped; run \`palimpsest backup ${folder}\` again`,
    );
  throw new AppError(
    'backup-damaged',
    `${folder} is no backup: ${FILE} is missing, give the folder that \`palimpsest backup\` has written`,
  );
};

export const writeProgress = (folder: string, value: Manifest): Promise<void> => write(folder, DRAFT, value);

export const writeManifest = async (folder: string, value: Manifest): Promise<void> => {
  await write(folder, FILE, value);
  await rm(join(folder, DRAFT), { force: true });
};

/** Names a backup in the state that it has at a time. */
export const manifestDigest = (value: Manifest): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');

const read = async (folder: string, name: string): Promise<Manifest | undefined> => {
  const path = join(folder, name);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw unreadableFile(path, error);
  }
  const found = checked.safeParse(parseJson(text)).data;
  if (!found || manifestDigest(found.manifest) !== found.sha256)
    throw new AppError('backup-damaged', `${path} is damaged: it is not as a backup has written it`);
  return found.manifest;
};

const write = (folder: string, name: string, value: Manifest): Promise<void> =>
  replaceFile(
    join(folder, name),
    `${JSON.stringify({ sha256: manifestDigest(value), manifest: value }, null, 2)}\n`,
  );
