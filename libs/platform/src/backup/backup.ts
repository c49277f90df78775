import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { PostgresBlobStore } from '@app/adapters/blobs-postgres';
import { installationOfLog } from '@app/adapters/event-store-db';
import {
  dumpRows,
  installationOf,
  listBlobs,
  openDatabase,
  type ReadModelDatabase,
  requireNoRestore,
} from '@app/adapters/read-model-postgres';
import { lockFolder } from '@app/embedded-event-store';
import { eventLine, readEvents } from '@app/event-store-copy';
import { AppError } from '@app/kernel';
import type { BlobStore } from '@app/ports';
import type { AppConfig } from '../config.js';
import { makeFolder } from '../servers/data-folder.js';
import { reachServers } from '../servers/reach-servers.js';
import { replaceFile } from '../servers/replace-file.js';
import { LineFile } from './files.js';
import { writeKeysFile } from './keys-file.js';
import {
  type BackupFile,
  type Manifest,
  newManifest,
  readProgress,
  writeManifest,
  writeProgress,
} from './manifest.js';

/** Characters of a segment of the log before the next one begins. */
const SEGMENT_CHARACTERS = 64 * 1_048_576;

type BackupOptions = {
  readonly config: AppConfig;
  /** Where the backup is, or begins. */
  readonly folder: string;
  /** Writes the keys of content to this file. */
  readonly keys?: string;
  readonly onProgress: (progress: { readonly detail: string }) => void;
};
export type BackupResult = {
  readonly folder: string;
  readonly position: string | null;
  /** Number of events in the backup, and number of events added by this run. */
  readonly events: number;
  readonly added: number;
  readonly blobs: number;
  readonly keys: string | null;
};

/**
 * Backs up a running or stopped installation, or adds new data to an earlier backup. An interrupted run leaves the
 * backup as it was before, and its own part of the log, from which the next one goes on.
 *
 * Rows come before the log and contents after it: no row refers to an event that is missing, and no event to a content.
 *
 * @throws {AppError} `backup-damaged`, `unreadable-file`, `unwritable-file`, `restore-unfinished`, `installation-mismatch` if the folder has a backup
 *   of another installation, `data-folder-in-use` if another backup writes to it, `event-store-unavailable`, `postgres-unavailable`.
 */
export const backUp = async ({ config, folder, keys, onProgress }: BackupOptions): Promise<BackupResult> => {
  await openFolder(folder);
  const lock = lockFolder(folder);
  try {
    return await addTo(folder, { config, keys, onProgress });
  } finally {
    lock.release();
  }
};

/** @throws {AppError} `unwritable-file` if there cannot be a folder. */
const openFolder = async (folder: string): Promise<void> => {
  try {
    await makeFolder(resolve(folder), 0o700);
    await readdir(folder); // Rejects for a file.
  } catch (cause) {
    const message = `${folder} cannot be the folder of a backup: name a folder that you may write to, or that can be created`;
    throw new AppError('unwritable-file', message, { cause });
  }
};

const addTo = async (
  folder: string,
  {
    config,
    keys,
    onProgress,
  }: Pick<BackupOptions, 'config' | 'onProgress'> & { readonly keys: string | undefined },
): Promise<BackupResult> => {
  const before = await readProgress(folder);
  const servers = await reachServers(config);
  const database = openDatabase(servers.postgresUrl);
  try {
    await requireNoRestore(database.db);
    const installation = await oneInstallation(servers.eventStoreUrl, database);
    let manifest = before ?? newManifest(installation, new Date().toISOString());
    if (manifest.installation !== installation) throw ofAnother(folder, manifest, installation);
    const known = manifest.log.events;
    const state = await backUpRows(folder, database);
    for await (const next of backUpLog(folder, manifest, servers.eventStoreUrl, onProgress)) {
      manifest = next;
      await writeProgress(folder, manifest);
    }
    const { file: blobs, count } = await backUpBlobs(folder, database);
    if (keys !== undefined) await writeKeysFile(keys, config, servers, database);
    manifest = { ...manifest, state, blobs, completedAt: new Date().toISOString() };
    await writeManifest(folder, manifest);
    await removeOthers(folder, manifest);
    const { position, events } = manifest.log;
    return { folder, position, events, added: events - known, blobs: count, keys: keys ?? null };
  } finally {
    await database.close();
    await servers.release();
  }
};

/** Returns the installation that both servers belong to. @throws {AppError} `installation-mismatch`. */
const oneInstallation = async (eventStoreUrl: string, database: ReadModelDatabase): Promise<string> => {
  const ofDatabase = (await installationOf(database))?.id;
  const ofLog = await installationOfLog(eventStoreUrl);
  if (ofLog !== undefined && ofLog === ofDatabase) return ofLog;
  throw new AppError(
    'installation-mismatch',
    `the database belongs to installation ${ofDatabase ?? 'none'}, and the event log to ${ofLog ?? 'none'}: name the servers of one installation that was started once`,
  );
};

const ofAnother = (folder: string, { installation }: Manifest, here: string): AppError =>
  new AppError(
    'installation-mismatch',
    `${folder} is a backup of installation ${installation}, and this is ${here}: name another folder`,
  );

/** Removes files that the manifest no longer names, of earlier and of stopped runs. */
const removeOthers = async (folder: string, { log, state, blobs }: Manifest): Promise<void> => {
  const named = new Set([...log.segments, state, blobs].map((one) => one?.file));
  for (const part of ['log', 'state', 'blobs']) {
    if (!existsSync(join(folder, part))) continue;
    for (const one of await readdir(join(folder, part), { withFileTypes: true }))
      if (one.isFile() && !named.has(`${part}/${one.name}`))
        await rm(join(folder, part, one.name), { force: true });
  }
};

/** A file of its own for each run: the manifest names the newest one that belongs to its log. */
const backUpRows = async (folder: string, { db }: ReadModelDatabase): Promise<BackupFile> => {
  const file = await LineFile.create(folder, `state/${stamp()}.ndjson.gz`);
  try {
    await dumpRows(db, 'state', async (rows) => {
      for (const row of rows) await file.write(JSON.stringify(row));
    });
    return await file.close();
  } catch (error) {
    await file.discard();
    throw error;
  }
};

/** Yields the manifest after each segment. */
async function* backUpLog(
  folder: string,
  before: Manifest,
  url: string,
  onProgress: BackupOptions['onProgress'],
): AsyncGenerator<Manifest, void, undefined> {
  let manifest = before;
  let file: LineFile | undefined;
  let from = 0n;
  let to = 0n;
  const closed = async (segment: LineFile): Promise<Manifest> => {
    const written = await segment.close();
    const { log } = manifest;
    const described = { ...written, events: segment.lines, from: String(from), to: String(to) };
    return {
      ...manifest,
      log: {
        position: String(to),
        events: log.events + segment.lines,
        segments: [...log.segments, described],
      },
    };
  };
  try {
    const after = before.log.position === null ? undefined : BigInt(before.log.position);
    for await (const event of readEvents(url, after)) {
      if (!file) {
        file = await LineFile.create(folder, `log/${segmentName(manifest)}`);
        from = event.position;
      }
      if (file.lines % 1_000 === 0) onProgress({ detail: `${manifest.log.events + file.lines} events` });
      await file.write(eventLine(event));
      to = event.position;
      if (file.size < SEGMENT_CHARACTERS) continue;
      manifest = await closed(file);
      file = undefined;
      yield manifest;
    }
    if (file) {
      const last = file;
      manifest = await closed(last);
      file = undefined;
      yield manifest;
    }
  } finally {
    await file?.discard();
  }
}

const segmentName = ({ log }: Manifest): string =>
  `${String(log.segments.length + 1).padStart(6, '0')}.ndjson.gz`;

const backUpBlobs = async (
  folder: string,
  { db }: ReadModelDatabase,
): Promise<{ readonly file: BackupFile; readonly count: number }> => {
  const store = new PostgresBlobStore(db);
  const list = await LineFile.create(folder, `blobs/list-${stamp()}.ndjson.gz`);
  try {
    for (const { digest, mediaType, size } of await listBlobs(db)) {
      await copyBlob(folder, digest, size, store);
      await list.write(JSON.stringify({ digest, mediaType, size }));
    }
    return { count: list.lines, file: await list.close() };
  } catch (error) {
    await list.discard();
    throw error;
  }
};

/** A content never changes: its name is its digest. */
const copyBlob = async (folder: string, digest: string, size: number, store: BlobStore): Promise<void> => {
  const path = join(folder, blobFile(digest));
  const found = await stat(path).catch(() => undefined);
  if (found?.size === size) return;
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 });
  await replaceFile(path, await store.get(digest));
};

export const blobFile = (digest: string): string => `blobs/${digest.slice(0, 2)}/${digest}`;

const stamp = (): string => new Date().toISOString().replace(/[:.]/g, '-');
