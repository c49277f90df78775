import { sessionNotFound } from '@app/domain';
import { AppError, type AsOf, firstOf, type IsoTime, isRequestId, Revision } from '@app/kernel';
import type { EventLog, Recorded } from '@app/ports';
import { findRequest } from './earlier-request.js';
import { type SessionRef, streamOf } from './session-ref.js';

/**
 * Returns the revision of a session state: that of the newest event recorded at or before a time, or that which a request was
 * composed from. A time is found by binary search with short reads.
 *
 * @throws {AppError} `request-not-found`; `revision-not-found` for a time before the session was opened.
 */
export const revisionAsOf = async (log: EventLog, ref: SessionRef, asOf: AsOf): Promise<Revision> => {
  if (typeof asOf === 'number') return asOf;
  if (isRequestId(asOf)) return (await findRequest(log, ref, asOf)).composed.revision;
  return newestUpTo(log, ref, asOf);
};

const newestUpTo = async (log: EventLog, ref: SessionRef, time: IsoTime): Promise<Revision> => {
  const newest = await firstOf(log.readBackwards(streamOf(ref), { limit: 1 }));
  if (!newest) throw sessionNotFound(ref.session);
  const isUpTo = ({ recordedAt }: Recorded): boolean => Date.parse(recordedAt) <= Date.parse(time);
  if (isUpTo(newest)) return newest.revision;
  let [known, after] = [-1, Number(newest.revision)];
  while (after - known > 1) {
    const middle = Math.floor((known + after) / 2);
    const event = await firstOf(log.readForwards(streamOf(ref), { from: Revision(middle), limit: 1 }));
    if (event && isUpTo(event)) known = middle;
    else after = middle;
  }
  if (known >= 0) return Revision(known);
  throw new AppError(
    'revision-not-found',
    `session "${ref.session}" was opened after ${time}: give a later time, a revision or the id of a request`,
  );
};
