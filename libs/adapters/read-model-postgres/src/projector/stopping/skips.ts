import type { EventLog } from '@app/ports';
import type { ProjectionFailure } from './failures.js';

/** Where skips are found: an operator's decision stands in the session's own stream, after the event that it is about. */
export type SkipLog = Pick<EventLog, 'readForwards'>;

/** Whether an operator has decided that the projection goes on without the event that it fails at. */
export const isSkipped = async (
  log: SkipLog | undefined,
  { projection, event }: ProjectionFailure,
): Promise<boolean> => {
  if (!log || !event) return false;
  for await (const { event: later } of log.readForwards(event.stream, { from: event.revision })) {
    if (later.type !== 'ProjectionSkipped') continue;
    if (later.data.projection === projection && later.data.revision === event.revision) return true;
  }
  return false;
};
