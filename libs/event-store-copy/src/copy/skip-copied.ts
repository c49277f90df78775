import { AppError } from '@app/kernel';
import { isCopy } from '../events/is-copy.js';
import { isTombstone, type RawEvent } from '../events/raw-event.js';
import { type Events, nextBeyondGaps } from './copied-events.js';
import type { Deletions } from './deletions.js';
import type { Heads } from './heads.js';
import type { CopyProgress } from './progress.js';

/**
 * Compares both servers up to the end of the target, and leaves the source at the first event that is not copied yet.
 * Returns the number of copied events.
 * @throws {AppError} `copy-diverged` if source and target differ in an event.
 */
export const skipCopied = async (
  source: Events,
  target: Events,
  { heads, deletions }: { readonly heads: Heads; readonly deletions: Deletions },
  onProgress: (progress: CopyProgress) => void,
): Promise<number> => {
  let events = 0;
  for (;;) {
    const copy = await nextBeyondGaps(target, ({ stream, revision }) => heads.set(stream, revision));
    if (!copy) return events;
    deletions.see(copy);
    if (!isTombstone(copy)) heads.set(copy.stream, copy.revision);
    const original = await source.next();
    if (original.done || !isCopy(copy, original.value)) throw diverged(copy, events);
    events += 1;
    onProgress({ phase: 'comparing', events });
  }
};

const diverged = ({ stream, revision }: RawEvent, events: number): AppError =>
  new AppError(
    'copy-diverged',
    `after ${events} equal events the target has event ${revision} of the stream ${stream}, ` +
      'and the source has another one: copy to a server without other writers',
  );
