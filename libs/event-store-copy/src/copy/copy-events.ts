import { Appender } from '../connection/appender.js';
import { Connection } from '../connection/connection.js';
import { endOfLog } from '../connection/read-events.js';
import type { LogDigest } from '../events/digest.js';
import { copiedEvents } from './copied-events.js';
import { Deletions } from './deletions.js';
import { Heads } from './heads.js';
import type { CopyProgress } from './progress.js';
import { skipCopied } from './skip-copied.js';
import { TargetWriter } from './target-writer.js';
import { type OmissionCounts, verifyCopy } from './verify-copy.js';

export type CopyOptions = {
  /** Connection strings. Secrets. */
  readonly from: string;
  readonly to: string;
  /** Writes gap events for lost events of the source, so that later ones keep their revisions. */
  readonly fillGaps: boolean;
  readonly onProgress: (progress: CopyProgress) => void;
};
export type CopyResult = LogDigest & {
  /** The part of `events` that this run copied, and the part from earlier runs. */
  readonly copied: number;
  readonly alreadyThere: number;
  /** Gap events for lost ones; not part of `events`. */
  readonly filled: number;
  readonly omitted: OmissionCounts;
};

/**
 * Copies all events of one server to another, in order, and verifies the copy. It may be stopped or killed and run
 * again: the target's events are a prefix of the source's, so the next run compares them and continues after it.
 * Memory is bounded by the appends in flight.
 * @throws {AppError} `copy-diverged` if the target has other events, `copy-incomplete` if the source has lost some,
 * `append-too-large`, `event-store-unavailable`, `invalid-configuration`.
 */
export const copyEvents = async (options: CopyOptions): Promise<CopyResult> => {
  const source = Connection.open('source', options.from);
  const target = Connection.open('target', options.to);
  try {
    const { alreadyThere, copied, filled } = await copyRest(source, target, options);
    const { digest, omitted } = await verifyCopy(source, target, alreadyThere + copied, options.onProgress);
    return { ...digest, alreadyThere, copied, filled, omitted };
  } finally {
    await Promise.allSettled([source.close(), target.close()]);
  }
};

type Rest = Pick<CopyResult, 'alreadyThere' | 'copied' | 'filled'>;

const copyRest = async (
  source: Connection,
  target: Connection,
  { fillGaps, onProgress }: CopyOptions,
): Promise<Rest> => {
  const events = copiedEvents(source);
  const heads = new Heads();
  const deletions = new Deletions();
  try {
    const alreadyThere = await skipCopied(events, copiedEvents(target), { heads, deletions }, onProgress);
    const appender = await Appender.open(target);
    const writer = new TargetWriter(target, appender, heads, deletions, fillGaps);
    const end = Number(await endOfLog(source));
    let copied = 0;
    try {
      for await (const event of events) {
        await writer.write(event);
        copied += 1;
        onProgress({ phase: 'copying', events: copied, fraction: Number(event.position) / end });
      }
      await writer.finish();
      return { alreadyThere, copied, filled: writer.filled };
    } finally {
      appender.close();
    }
  } finally {
    await events.return();
  }
};
