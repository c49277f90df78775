import { join } from 'node:path';
import { eventOf, isCopy, type LoggedEvent } from '@app/event-store-copy';
import { AppError, isErasuresStream } from '@app/kernel';
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
 * Returns the events that the erasure ledgers of a newer backup have behind those of an older one, with places behind all of
 * its events.
 *
 * @throws {AppError} `backup-damaged`, also where the other one has another ledger; `installation-mismatch`.
 */
export const laterErasures = async (
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
  const known = new Map<string, LoggedEvent>();
  for await (const event of eventsIn(older.folder, older.manifest))
    if (isErasuresStream(event.stream)) known.set(placeOf(event), event);
  const later: LoggedEvent[] = [];
  const end = BigInt(older.manifest.log.position ?? 0);
  for await (const event of eventsIn(newerFolder, manifest)) {
    if (!isErasuresStream(event.stream)) continue;
    const same = known.get(placeOf(event));
    if (!same) later.push({ ...event, position: end + 1n + BigInt(later.length) });
    else if (!isCopy(event, same))
      throw new AppError(
        'backup-damaged',
        `${newerFolder} is no newer backup of the same installation: event ${event.revision} of ${event.stream} differs`,
      );
  }
  return later;
};

const placeOf = ({ stream, revision }: LoggedEvent): string => `${stream} ${revision}`;
