import { join } from 'node:path';
import { isProtectionType } from '@app/domain';
import { eventOf, isCopy, type LoggedEvent, type RawEvent } from '@app/event-store-copy';
import { AppError, isErasuresStream, sessionOf } from '@app/kernel';
import { checkFile, linesOf } from './files.js';
import { completeManifest, type Manifest } from './manifest.js';

/** Yields the events of a backup in the order of the log. @throws {AppError} `backup-damaged`. */
export async function* eventsIn(
  folder: string,
  { log }: Manifest,
): AsyncGenerator<LoggedEvent, void, undefined> {
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

/**
 * Returns the later erasures, holds and periods of a newer backup, with places behind all of its events: the events of its erasure
 * ledgers, and the holds and retention periods of sessions that the older one has.
 *
 * @throws {AppError} `backup-damaged`, also where the other one has another ledger; `installation-mismatch`.
 */
export const laterPromises = async (
  older: { readonly folder: string; readonly manifest: Manifest },
  newerFolder: string,
): Promise<readonly LoggedEvent[]> => {
  const manifest = await completeManifest(newerFolder);
  if (manifest.installation !== older.manifest.installation)
    throw new AppError(
      'installation-mismatch',
      `${newerFolder} is a backup of installation ${manifest.installation}, and ${older.folder} of ${older.manifest.installation}: name a newer backup of the same one`,
    );
  for (const segment of manifest.log.segments) await checkFile(newerFolder, segment);
  const ledger = new Map<string, LoggedEvent>();
  /** The newest revision of each session. */
  const sessions = new Map<string, bigint>();
  for await (const event of eventsIn(older.folder, older.manifest))
    if (isErasuresStream(event.stream)) ledger.set(placeOf(event), event);
    else if (sessionOf(event.stream)) sessions.set(event.stream, event.revision);
  const later: LoggedEvent[] = [];
  const end = BigInt(older.manifest.log.position ?? 0);
  const add = (event: RawEvent): void => {
    later.push({ ...event, position: end + 1n + BigInt(later.length) });
  };
  /** The restored session lacks the content events in between, so its retention follows the newest of them. */
  const next = new Map(sessions);
  for await (const event of eventsIn(newerFolder, manifest)) {
    const newest = sessions.get(event.stream);
    if (newest !== undefined && event.revision > newest && isProtectionType(event.type)) {
      const revision = (next.get(event.stream) ?? newest) + 1n;
      next.set(event.stream, revision);
      add({ ...event, revision });
    }
    if (!isErasuresStream(event.stream)) continue;
    const same = ledger.get(placeOf(event));
    if (!same) add(event);
    else if (!isCopy(event, same))
      throw new AppError(
        'backup-damaged',
        `${newerFolder} is no newer backup of the same installation: event ${event.revision} of ${event.stream} differs`,
      );
  }
  return later;
};

const placeOf = ({ stream, revision }: LoggedEvent): string => `${stream} ${revision}`;
