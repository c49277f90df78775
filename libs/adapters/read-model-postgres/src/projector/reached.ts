import type { LogPosition } from '@app/kernel';
import type { Subscriptions } from '@app/ports';
import { readUpTo } from '../log/read-batches.js';
import { isBefore, lowestOf, readPositions } from './checkpoints.js';
import type { ProjectorParts } from './progress.js';
import { isOutage } from './stopped-streams.js';

/** Polling interval: another process may be projecting, without a notification. */
const LOOK_AGAIN_AFTER_MS = 50;
const ANSWER_WITHIN_MS = 2_000;

/**
 * Resolves when everything up to `position` is in the rows of all projections, whichever process projects, except for
 * stopped streams.
 * The checkpoints may stay before `position` although nothing is missing: for filtered events a subscription reports
 * checkpoints rarely. If they stand still, the log is read for events in between.
 *
 * @throws the reason of `signal`; `postgres-unavailable`.
 */
export const reached = async (
  { db, subscriptions, projections, progress }: ProjectorParts,
  position: LogPosition | 'start',
  signal: AbortSignal,
): Promise<void> => {
  if (position === 'start') return;
  const tables = db.withSchema('read');
  let before: LogPosition | 'start' | undefined;
  let missing: LogPosition | 'start' | undefined;
  for (;;) {
    signal.throwIfAborted();
    const moved = progress.next(LOOK_AGAIN_AFTER_MS, signal); // From before we look, so that nothing is missed.
    const at = lowestOf(await readPositions(tables, projections));
    if (!isBefore(at, position)) return;
    if (at === before && at !== missing) {
      const answer = await isMissing(subscriptions, { after: at, upTo: position }, signal);
      if (answer === 'nothing') return;
      if (answer === 'something') missing = at; // It is not asked again until the checkpoints have moved.
    }
    before = at;
    await moved;
  }
};

/** Returns whether session events lie between two positions; `unknown` after a timeout. */
const isMissing = async (
  subscriptions: Subscriptions,
  { after, upTo }: { readonly after: LogPosition | 'start'; readonly upTo: LogPosition },
  signal: AbortSignal,
): Promise<'nothing' | 'something' | 'unknown'> => {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ANSWER_WITHIN_MS);
  const ending = AbortSignal.any([signal, late.signal]);
  try {
    for await (const _ of readUpTo(subscriptions, after, upTo, ending)) return 'something';
    return 'nothing';
  } catch (error) {
    signal.throwIfAborted();
    if (late.signal.aborted || isOutage(error)) return 'unknown';
    throw error;
  } finally {
    clearTimeout(timer);
  }
};
