import type { EventData, SessionState } from '@app/domain';
import { AppError, type RequestId, Revision, revisionIn } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { type SessionRef, streamOf } from './session-ref.js';

/** A composed request, and whether an override allowed it. */
export type FoundRequest = {
  readonly composed: EventData<'RequestComposed'>;
  readonly isOverridden: boolean;
};

/** Events to read after the revision of a request: its commands may record some before the request itself. */
const LOOKED_AT = 8;

/** Finds a request by its ID in one short read. */
const requestIn = async (
  log: EventLog,
  ref: SessionRef,
  id: RequestId,
): Promise<(FoundRequest & { readonly revision: Revision }) | undefined> => {
  const from = Revision(revisionIn(id) + 1);
  let isOverridden = false;
  for await (const { event, revision } of log.readForwards(streamOf(ref), { from, limit: LOOKED_AT })) {
    if (event.type === 'CompactionOverridden') isOverridden = true;
    if (event.type === 'RequestComposed' && event.data.requestId === id)
      return { composed: event.data, isOverridden, revision };
  }
  return undefined;
};

/** Whether the log has a bill for an older request of the session; `undefined` if there is no such request. */
export const earlierRequest = async (
  log: EventLog,
  ref: SessionRef,
  state: SessionState,
  requestId: RequestId | undefined,
): Promise<'billed' | 'unbilled' | undefined> => {
  if (requestId === undefined || state.status !== 'open') return undefined;
  if (state.requests.some((one) => one.requestId === requestId)) return undefined;
  const found = await requestIn(log, ref, requestId);
  if (!found) return undefined;
  for await (const { event } of log.readForwards(streamOf(ref), { from: found.revision })) {
    if (event.type === 'UsageReported' && event.data.requestId === requestId) return 'billed';
  }
  return 'unbilled';
};

/** Finds a request by its ID. @throws {AppError} `request-not-found`. */
export const findRequest = async (log: EventLog, ref: SessionRef, id: RequestId): Promise<FoundRequest> => {
  const found = await requestIn(log, ref, id);
  if (found) return found;
  throw new AppError(
    'request-not-found',
    `session "${ref.session}" has composed no request "${id}": \`palimpsest audit --session ${ref.session} --type RequestComposed\` lists them`,
  );
};
