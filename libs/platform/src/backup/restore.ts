import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PostgresBlobStore } from '@app/adapters/blobs-postgres';
import {
  beginRestore,
  type DumpedRow,
  endRestore,
  holdRestoredDeliveries,
  isUnused,
  loadDumpedRows,
  migrate,
  openDatabase,
  type ReadModelDatabase,
} from '@app/adapters/read-model-postgres';
import { isProtectionType } from '@app/domain';
import { appendEvents, hasEvents, type LoggedEvent, pairEvents } from '@app/event-store-copy';
import { AppError, sessionOf } from '@app/kernel';
import { isLeaf } from '@app/proof';
import { z } from 'zod';
import type { AppConfig } from '../config.js';
import { openPalimpsest } from '../open-palimpsest.js';
import { secretKeys } from '../parts/secrets/secret-keys.js';
import { startServers } from '../servers/servers.js';
import { blobFile } from './backup.js';
import { checkFile, linesOf } from './files.js';
import { placeInstallationKey, readKeysFile, requireKeysOf } from './keys-file.js';
import { completeManifest, type Manifest, manifestDigest } from './manifest.js';
import { eventsIn, laterPromises } from './segments.js';

type RestoreOptions = {
  /** Names the empty place: a data folder, or servers of the operator's own. */
  readonly config: AppConfig;
  readonly folder: string;
  /** The file of keys. */
  readonly keys: string;
  /** The folder of a newer backup, whose erasures, holds and retention periods also apply. */
  readonly ledger?: string;
  /** Begins new transparency logs with all events: those of the backup end before heads that they have published since. */
  readonly newLogs?: boolean;
  readonly onProgress: (progress: { readonly label: string; readonly fraction: number }) => void;
};
export type RestoreResult = {
  readonly events: number;
  readonly sessions: number;
  readonly blobs: number;
  readonly keys: number;
  /** When the backup was complete: later erasures, holds and retention periods are known from a newer backup alone. */
  readonly completedAt: string | null;
  /** Erasures of the newer backup that this one does not have. */
  readonly laterErasures: number;
  /** Changes of holds and retention periods of the newer backup that this one does not have. */
  readonly laterProtection: number;
  /** Whether new transparency logs begin: as demanded, or since the leaves of the backup have the form of an older version. */
  readonly newLogs: boolean;
  /** Streams with events that cannot be read. */
  readonly stoppedStreams: number;
};

const dumped = z.object({ table: z.string(), row: z.string() });
const blob = z.object({ digest: z.string(), mediaType: z.string(), size: z.int() });

/**
 * Restores a backup into an empty place, or goes on where an earlier run was stopped; until then the service does not start on
 * it. Everything is checked before the first write. Erasures of the log, and of a newer backup, are carried out on the keys
 * before any is usable; holds and retention periods of the newer one are in force; read models are rebuilt. The restored log is compared with the backup event by event.
 *
 * @throws {AppError} `backup-damaged`, `installation-mismatch`, `installation-key-wrong`, `restore-target-in-use`, `restore-unfinished`, `copy-diverged`, and what the servers
 *   throw.
 */
export const restore = async (options: RestoreOptions): Promise<RestoreResult> => {
  const { config, folder, keys: keysFile, onProgress } = options;
  const manifest = await completeManifest(folder);
  await checkAll(folder, manifest, onProgress);
  const keys = await readKeysFile(keysFile);
  requireKeysOf(manifest, keys, await secretKeys(config, undefined));
  const later = options.ledger === undefined ? [] : await laterPromises({ folder, manifest }, options.ledger);
  const backup: OpenedBackup = { folder, manifest, later };
  const servers = await startServers(config);
  let counts: Filled;
  try {
    const database = openDatabase(servers.postgresUrl);
    try {
      await migrate(database.db);
      await beginRestore(database.db, idOf(backup, options), async () => {
        if ((await hasEvents(servers.eventStoreUrl)) || !(await isUnused(database.db))) throw inUse();
      });
      if (keys.installationKey !== null && servers.ownFolder !== undefined && !hasKeySetting(config))
        await placeInstallationKey(servers.ownFolder, keys.installationKey);
      counts = await fill(backup, keys.rows, servers.eventStoreUrl, database, options);
      await endRestore(database.db);
    } finally {
      await database.close();
    }
  } finally {
    await servers.stop();
  }
  onProgress({ label: 'rebuilding rows', fraction: 0 });
  const stoppedStreams = await rebuild(config);
  return {
    ...counts,
    events: manifest.log.events,
    completedAt: manifest.completedAt,
    laterErasures: later.filter(({ type }) => type === 'ErasureCompleted').length,
    laterProtection: later.filter(({ type }) => isProtectionType(type)).length,
    stoppedStreams,
  };
};

type OpenedBackup = {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Events of a newer backup about erasures, holds and retention periods. */
  readonly later: readonly LoggedEvent[];
};

/** Identifies what is restored, so that an interrupted run continues with the same backup and the same logs. */
const idOf = (
  { manifest, later }: OpenedBackup,
  { newLogs = false }: Pick<RestoreOptions, 'newLogs'>,
): string =>
  createHash('sha256')
    .update(JSON.stringify([manifestDigest(manifest), newLogs, ...later.map(({ id }) => id)]))
    .digest('hex');

const inUse = (): AppError =>
  new AppError(
    'restore-target-in-use',
    'there is data already where the backup would be restored: name an empty folder with --data, or empty servers',
  );

type Filled = Pick<RestoreResult, 'sessions' | 'blobs' | 'keys' | 'newLogs'>;

/** Every step can be repeated. Keys come last: without them nothing can be read. */
const fill = async (
  backup: OpenedBackup,
  keyRows: readonly DumpedRow[],
  eventStoreUrl: string,
  database: ReadModelDatabase,
  { onProgress, newLogs: areDemanded = false }: Pick<RestoreOptions, 'onProgress' | 'newLogs'>,
): Promise<Filled> => {
  const { folder, manifest } = backup;
  const log = await restoreLog(backup, eventStoreUrl, onProgress);
  onProgress({ label: 'filling tables', fraction: 0 });
  const blobs = await restoreBlobs(folder, manifest, database);
  const rows = placedRows(folder, manifest, log.places);
  const newLogs = areDemanded || (await hasOlderLeaves(folder, manifest));
  await loadDumpedRows(database.db, 'state', newLogs ? withoutLogs(rows) : rows);
  await holdRestoredDeliveries(database.db, log.end);
  const keys = await loadDumpedRows(database.db, 'keys', listed(keyRows));
  return { sessions: log.sessions.size, blobs, keys, newLogs };
};

const hasKeySetting = (config: AppConfig): boolean =>
  config.PALIMPSEST_SECRETS_KEY !== undefined || config.PALIMPSEST_SECRETS_KEY_FILE !== undefined;

const checkAll = async (
  folder: string,
  { log, state, blobs }: Manifest,
  onProgress: RestoreOptions['onProgress'],
): Promise<void> => {
  const files = [...log.segments, ...(state ? [state] : []), ...(blobs ? [blobs] : [])];
  for (const [at, file] of files.entries()) {
    await checkFile(folder, file);
    onProgress({ label: 'checking', fraction: (at + 1) / files.length });
  }
  if (blobs)
    for await (const line of linesOf(folder, blobs.file)) {
      const { digest, size } = blob.parse(JSON.parse(line));
      await checkFile(folder, { file: blobFile(digest), bytes: size, sha256: digest });
    }
};

type RestoredLog = {
  /** Where the event at or before each asked place is in the restored log. */
  readonly places: ReadonlyMap<string, string>;
  readonly sessions: ReadonlySet<string>;
  /** Its newest place. */
  readonly end: string;
};

/** Appends all events, and compares each with the stored one. */
const restoreLog = async (
  { folder, manifest, later }: OpenedBackup,
  url: string,
  onProgress: RestoreOptions['onProgress'],
): Promise<RestoredLog> => {
  const total = manifest.log.events;
  const counted = async function* (label: string) {
    let done = 0;
    for await (const event of eventsIn(folder, manifest)) {
      if (done % 1_000 === 0) onProgress({ label, fraction: done / total });
      yield event;
      done += 1;
    }
    yield* later;
  };
  await appendEvents(url, counted('restoring'));
  const asked = await placesAsked(folder, manifest);
  const places = new Map<string, string>();
  const sessions = new Set<string>();
  let [next, newest] = [0, 0n];
  /** Answers the places before `end` by the newest event before them. */
  const answer = (end: bigint | undefined): void => {
    for (
      let place = asked[next];
      place !== undefined && (end === undefined || place < end);
      place = asked[next]
    ) {
      places.set(String(place), String(newest));
      next += 1;
    }
  };
  await pairEvents(url, counted('comparing'), ({ original, copy }) => {
    answer(original.position);
    newest = copy.position;
    if (sessionOf(original.stream)) sessions.add(original.stream);
  });
  answer(undefined);
  return { places, sessions, end: String(newest) };
};

/** Returns the places in the old log that rows name, in order. */
const placesAsked = async (folder: string, manifest: Manifest): Promise<readonly bigint[]> => {
  const asked = new Set<bigint>();
  for await (const { row } of rowsIn(folder, manifest)) {
    const position = positionIn(row);
    if (position !== undefined) asked.add(BigInt(position));
  }
  return [...asked].sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
};

async function* rowsIn(folder: string, { state }: Manifest): AsyncGenerator<DumpedRow, void, undefined> {
  if (state) for await (const line of linesOf(folder, state.file)) yield dumped.parse(JSON.parse(line));
}

/** Yields rows with their places in the restored log. */
async function* placedRows(
  folder: string,
  manifest: Manifest,
  places: ReadonlyMap<string, string>,
): AsyncGenerator<DumpedRow, void, undefined> {
  for await (const { table, row } of rowsIn(folder, manifest)) {
    const position = positionIn(row);
    const place = position === undefined ? undefined : places.get(position);
    yield { table, row: place === undefined ? row : withPosition(row, place) };
  }
}

/** Whether the leaves of the transparency logs have the form of an older version: all have one, since a migration that changes it begins anew. */
const hasOlderLeaves = async (folder: string, manifest: Manifest): Promise<boolean> => {
  for await (const { table, row } of rowsIn(folder, manifest)) {
    const { data } = table === 'transparency.entry' ? ofEvent.safeParse(JSON.parse(row)) : {};
    if (data) return !isLeaf(data.entry);
  }
  return false;
};
const ofEvent = z.looseObject({ entry: z.string(), stream: z.string() });

/** Leaves out the transparency logs, and the place up to which they have events. */
async function* withoutLogs(rows: AsyncIterable<DumpedRow>): AsyncGenerator<DumpedRow, void, undefined> {
  for await (const { table, row } of rows)
    if (table === 'transparency.position')
      yield { table, row: JSON.stringify({ ...JSON.parse(row), position: null }) };
    else if (!table.startsWith('transparency.')) yield { table, row };
}

const placed = z.looseObject({ position: z.string().regex(/^\d+$/) });
const positionIn = (row: string): string | undefined => placed.safeParse(JSON.parse(row)).data?.position;
const withPosition = (row: string, position: string): string =>
  JSON.stringify({ ...placed.parse(JSON.parse(row)), position });

async function* listed(rows: readonly DumpedRow[]): AsyncGenerator<DumpedRow, void, undefined> {
  yield* rows;
}

const restoreBlobs = async (
  folder: string,
  { blobs }: Manifest,
  { db }: ReadModelDatabase,
): Promise<number> => {
  if (!blobs) return 0;
  const store = new PostgresBlobStore(db);
  let count = 0;
  for await (const line of linesOf(folder, blobs.file)) {
    const { digest, mediaType } = blob.parse(JSON.parse(line));
    await store.put(await readFile(join(folder, blobFile(digest))), mediaType);
    count += 1;
  }
  return count;
};

/** Starts the engine once: it carries out erasures again, everywhere, and fills the rows from the log. */
const rebuild = async (config: AppConfig): Promise<number> => {
  const palimpsest = await openPalimpsest({ ...config, PALIMPSEST_ROLES: ['projector'] });
  try {
    const { projector, subscriptions, readModels } = palimpsest;
    await palimpsest.erasures.resume();
    await projector.reached(await subscriptions.head(), new AbortController().signal);
    return Math.max(...(await readModels.status()).map(({ stoppedStreams }) => stoppedStreams));
  } finally {
    await palimpsest.close();
  }
};
