import { AppError, Revision } from '@app/kernel';
import type { EventLog, Recorded } from '@app/ports';
import type { ProjectionFailure } from './failures.js';

/** Where skips are found: an operator's decision stands in the session's own stream, after the event that it is about. */
export type SkipLog = Pick<EventLog, 'readForwards' | 'readBackwards'>;

/** Whether an operator has decided that the projection goes on without the event that it fails at. */
export const isSkipped = async (
  log: SkipLog | undefined,
  { projection, event }: ProjectionFailure,
): Promise<boolean> => {
  if (!log || !event) return false;
  const behind = Revision(event.revision + 1);
  const decided = async (events: AsyncIterable<Recorded>): Promise<boolean> => {
    for await (const { event: later, revision } of events) {
      if (revision < behind) return false;
      if (later.type !== 'ProjectionSkipped') continue;
      if (later.data.projection === projection && later.data.revision === event.revision) return true;
    }
    return false;
  };
  try {
    return await decided(log.readForwards(event.stream, { from: behind }));
  } catch (error) {
    if (!isCorrupt(error)) throw error;
  }
  try {
    // Another event that cannot be read stands between the two.
    return await decided(log.readBackwards(event.stream));
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    return false;
  }
};

const isCorrupt = (error: unknown): boolean => error instanceof AppError && error.code === 'corrupt-event';
