import { AppError } from '@app/kernel';
import type { Connection } from '../connection/connection.js';
import { type LogDigest, LogDigester } from '../events/digest.js';
import { isCopy } from '../events/is-copy.js';
import type { OmissionReason } from '../events/omission-reason.js';
import { copiedEvents, nextBeyondGaps } from './copied-events.js';
import type { CopyProgress } from './progress.js';

/**
 * Reads both servers again from the beginning and compares counts and digests, and each event with its copy, in order
 * to name the first difference. Ignores later events of the source.
 * @throws {AppError} `copy-diverged`.
 */
export const verifyCopy = async (
  source: Connection,
  target: Connection,
  expected: number,
  onProgress: (progress: CopyProgress) => void,
): Promise<{ digest: LogDigest; omitted: OmissionCounts }> => {
  const omitted = { system: 0, users: 0, projections: 0, subscriptions: 0 };
  const originals = copiedEvents(source, (why) => {
    omitted[why] += 1;
  });
  const copies = copiedEvents(target);
  const [ofSource, ofTarget] = [new LogDigester(), new LogDigester()];
  for (let events = 1; events <= expected; events += 1) {
    const [original, copy] = await Promise.all([originals.next(), nextBeyondGaps(copies)]);
    if (original.done || !copy) throw differs(`it has ${events - 1} of ${expected} events`);
    ofSource.add(original.value);
    ofTarget.add(copy);
    if (!isCopy(copy, original.value)) throw differs(`event ${copy.revision} of the stream ${copy.stream}`);
    onProgress({ phase: 'verifying', events, fraction: events / expected });
  }
  if (await nextBeyondGaps(copies)) throw differs(`it has more than ${expected} events`);
  await originals.next(); // Reads past the last copied event.
  await originals.return();
  const [digest, copied] = [ofSource.finish(), ofTarget.finish()];
  if (digest.all !== copied.all || digest.streams !== copied.streams) throw differs('its digest differs');
  return { digest, omitted };
};

/** The number of events that were not copied, by reason. */
export type OmissionCounts = Readonly<Record<OmissionReason, number>>;

const differs = (what: string): AppError =>
  new AppError('copy-diverged', `the copy differs from the source: ${what}`);
