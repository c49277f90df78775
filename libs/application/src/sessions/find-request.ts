import type { RequestComposed } from '@app/domain';
import { AppError, type RequestId, Revision, revisionIn } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { type SessionRef, streamOf } from './session-ref.js';

/** A composed request, and whether an override allowed it. */
export type FoundRequest = { readonly composed: RequestComposed['data']; readonly isOverridden: boolean };

/** Events to read after the revision of a request: an override, and the request itself. */
const LOOKED_AT = 4;

/** Finds a request by its ID in one short read. @throws {AppError} `request-not-found`. */
export const findRequest = async (log: EventLog, ref: SessionRef, id: RequestId): Promise<FoundRequest> => {
  const from = Revision(revisionIn(id) + 1);
  let isOverridden = false;
  for await (const { event } of log.readForwards(streamOf(ref), { from, limit: LOOKED_AT })) {
    if (event.type === 'CompactionOverridden') isOverridden = true;
    if (event.type === 'RequestComposed' && event.data.requestId === id)
      return { composed: event.data, isOverridden };
  }
  throw new AppError(
    'request-not-found',
    `session "${ref.session}" has composed no request "${id}": \`palimpsest audit --session ${ref.session} --type RequestComposed\` lists them`,
  );
};
