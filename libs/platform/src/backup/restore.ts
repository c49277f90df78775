import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PostgresBlobStore } from '@app/adapters/blobs-postgres';
import {
  type DumpedRow,
  isUnused,
  loadDumpedRows,
  migrate,
  openDatabase,
  type ReadModelDatabase,
} from '@app/adapters/read-model-postgres';
import { appendEvents, eventOf, hasEvents, type LoggedEvent, pairEvents } from '@app/event-store-copy';
import { AppError, sessionOf } from '@app/kernel';
import { z } from 'zod';
import type { AppConfig } from '../config.js';
import { openPalimpsest } from '../open-palimpsest.js';
import { openDataFolder } from '../servers/data-folder.js';
import { startServers } from '../servers/servers.js';
import { blobFile, completeManifest } from './backup.js';
import { checkFile, linesOf } from './files.js';
import { placeInstallationKey, readKeysFile } from './keys-file.js';
import type { Manifest } from './manifest.js';

type RestoreOptions = {
  /** Names the empty place: a data folder, or servers of the operator's own. */
  readonly config: AppConfig;
  readonly folder: string;
  /** The file of keys. */
  readonly keys: string;
  readonly onProgress: (progress: { readonly label: string; readonly fraction: number }) => void;
};
export type RestoreResult = {
  readonly events: number;
  readonly sessions: number;
  readonly blobs: number;
  readonly keys: number;
  /** Streams with events that cannot be read. */
  readonly stoppedStreams: number;
};

const dumped = z.object({ table: z.string(), row: z.string() });
const blob = z.object({ digest: z.string(), mediaType: z.string(), size: z.int() });

/**
 * Restores a backup into an empty place. Everything is checked before the first write. Erasures of the log are carried out on
 * the keys before any is usable; read models are rebuilt. The restored log is compared with the backup event by event.
 *
 * @throws {AppError} `backup-damaged`, `restore-target-in-use`, `copy-diverged`, and what the servers throw.
 */
export const restore = async (options: RestoreOptions): Promise<RestoreResult> => {
  const { config, folder, keys: keysFile, onProgress } = options;
  const manifest = await completeManifest(folder);
  await checkAll(folder, manifest, onProgress);
  const keys = await readKeysFile(keysFile);
  const isEmbedded = !config.PALIMPSEST_POSTGRES_URL;
  if (keys.installationKey !== null && isEmbedded && !hasKeySetting(config))
    await placeInstallationKey((await openDataFolder(config.PALIMPSEST_DATA)).path, keys.installationKey);
  const servers = await startServers(config);
  let result: Omit<RestoreResult, 'sessions' | 'stoppedStreams'> & { readonly streams: ReadonlySet<string> };
  try {
    const database = openDatabase(servers.postgresUrl);
    try {
      await migrate(database.db);
      if ((await hasEvents(servers.eventStoreUrl)) || !(await isUnused(database.db)))
        throw new AppError(
          'restore-target-in-use',
          'there is data already where the backup would be restored: name an empty folder with --data, or empty servers',
        );
      const log = await restoreLog(folder, manifest, servers.eventStoreUrl, onProgress);
      const blobs = await restoreBlobs(folder, manifest, database);
      await loadDumpedRows(database.db, 'state', placedRows(folder, manifest, log.places));
      const count = await loadDumpedRows(database.db, 'keys', listed(keys.rows));
      result = { events: manifest.log.events, blobs, keys: count, streams: log.sessions };
    } finally {
      await database.close();
    }
  } finally {
    await servers.stop();
  }
  const { streams, ...counts } = result;
  const stoppedStreams = await rebuild(config);
  return { ...counts, sessions: streams.size, stoppedStreams };
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

async function* eventsIn(folder: string, { log }: Manifest): AsyncGenerator<LoggedEvent, void, undefined> {
  for (const { file } of log.segments) {
    let number = 0;
    for await (const line of linesOf(folder, file)) {
      number += 1;
      const event = eventOf(line);
      if (!event)
        throw new AppError('backup-damaged', `${join(folder, file)} has no event in line ${number}`);
      yield event;
    }
  }
}

type RestoredLog = {
  /** Where the event at or before each asked place is in the restored log. */
  readonly places: ReadonlyMap<string, string>;
  readonly sessions: ReadonlySet<string>;
};

/** Appends all events, and compares each with what the server has then. */
const restoreLog = async (
  folder: string,
  manifest: Manifest,
  url: string,
  onProgress: RestoreOptions['onProgress'],
): Promise<RestoredLog> => {
  const total = manifest.log.events;
  const counted = async function* (label: string) {
    let done = 0;
    for await (const event of eventsIn(folder, manifest)) {
      yield event;
      done += 1;
      if (done % 1_000 === 0) onProgress({ label, fraction: done / total });
    }
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
  return { places, sessions };
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

/** Starts the engine once: it carries out erasures again, and fills the rows from the log. */
const rebuild = async (config: AppConfig): Promise<number> => {
  const palimpsest = await openPalimpsest({ ...config, PALIMPSEST_ROLES: ['projector'] });
  try {
    const { projector, subscriptions, readModels } = palimpsest;
    await projector.reached(await subscriptions.head(), new AbortController().signal);
    return Math.max(...(await readModels.status()).map(({ stoppedStreams }) => stoppedStreams));
  } finally {
    await palimpsest.close();
  }
};
