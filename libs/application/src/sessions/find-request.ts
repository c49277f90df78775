import type { RequestComposed, SessionState } from '@app/domain';
import { type RequestId, Revision, revisionIn } from '@app/kernel';
import type { EventLog, Recorded } from '@app/ports';
import { type SessionRef, streamOf } from './session-ref.js';

/** A request's event stands behind the revision that its id names, after no more events than this of the same decision. */
const READ_BEHIND = 8;

/** Finds the event of a request in the log by its id, wherever its context began; `undefined` where there is none. */
export const findRequest = async (
  log: EventLog,
  ref: SessionRef,
  requestId: RequestId,
): Promise<Recorded<RequestComposed> | undefined> => {
  const from = Revision(revisionIn(requestId) + 1);
  for await (const { event, ...placed } of log.readForwards(streamOf(ref), { from, limit: READ_BEHIND })) {
    if (event.type === 'RequestComposed' && event.data.requestId === requestId) return { ...placed, event };
  }
  return undefined;
};

/** Whether the log has a bill for a request that its session no longer remembers; `undefined` where it has no such request. */
export const earlierRequest = async (
  log: EventLog,
  ref: SessionRef,
  state: SessionState,
  requestId: RequestId | undefined,
): Promise<'billed' | 'unbilled' | undefined> => {
  if (requestId === undefined || state.status !== 'open') return undefined;
  if (state.requests.some((one) => one.requestId === requestId)) return undefined;
  const request = await findRequest(log, ref, requestId);
  if (!request) return undefined;
  for await (const { event } of log.readForwards(streamOf(ref), { from: request.revision })) {
    if (event.type === 'UsageReported' && event.data.requestId === requestId) return 'billed';
  }
  return 'unbilled';
};
