import { type EventData, entryOf } from '@app/domain';
import { AppError, type IsoTime, type MessageId, Revision } from '@app/kernel';
import type { EventLog, ReadModels, Recorded } from '@app/ports';
import { requireOpen, type SessionRef, streamOf } from '../../sessions/session-ref.js';
import type { SessionStore } from '../../sessions/session-store.js';

/** An original message and the session that contains it, which may be the source of a fork. */
export type FoundMessage = {
  readonly ref: SessionRef;
  readonly revision: Revision;
  readonly recordedAt: IsoTime;
  readonly data: EventData<'MessageAppended'>;
};

export type MessageSources = {
  readonly sessions: SessionStore;
  readonly log: EventLog;
  readonly index: Pick<ReadModels, 'messageRevision'>;
};

/** Maximum depth of forks that is searched. */
const FORKS_MAX = 32;

/**
 * Finds a message by its id: in the state of the session, in the index of the read model, or among the events that the
 * index does not have yet; then in the session that this one was forked from. It reads one event for a message of the
 * context or of the index, whatever the length of the session.
 *
 * @throws {AppError} `session-not-found`, `message-not-found`.
 */
export const findMessage = async (
  sources: MessageSources,
  ref: SessionRef,
  id: MessageId,
): Promise<FoundMessage> => {
  let [at, upTo]: [SessionRef, Revision | undefined] = [ref, undefined];
  for (let forks = 0; forks < FORKS_MAX; forks += 1) {
    const revision = await revisionIn(sources, at, id);
    if (revision !== undefined && (upTo === undefined || revision <= upTo))
      return messageAt(sources.log, at, revision);
    const origin = await originOf(sources.log, at);
    if (!origin) break;
    at = { tenant: ref.tenant, session: origin.from.sessionId };
    upTo = origin.from.revision;
  }
  throw new AppError(
    'message-not-found',
    `session "${ref.session}" has no such message: GET /v1/sessions/{session}/export lists all messages`,
  );
};

const revisionIn = async (
  { sessions, log, index }: MessageSources,
  ref: SessionRef,
  id: MessageId,
): Promise<Revision | undefined> => {
  const session = requireOpen(ref, (await sessions.load(ref)).state);
  const entry = entryOf(session, id);
  if (entry) return entry.revision;
  const { revision, upTo } = await index.messageRevision(ref, id);
  if (revision !== undefined) return revision;
  for await (const recorded of log.readBackwards(streamOf(ref))) {
    if (upTo !== undefined && recorded.revision <= upTo) return undefined;
    if (recorded.event.type === 'MessageAppended' && recorded.event.data.message.id === id)
      return recorded.revision;
  }
  return undefined;
};

/** @throws {AppError} `message-not-found` if the event is not a message. */
const messageAt = async (log: EventLog, ref: SessionRef, revision: Revision): Promise<FoundMessage> => {
  for await (const recorded of log.readForwards(streamOf(ref), { from: revision, limit: 1 })) {
    const found = foundIn(recorded, ref);
    if (found) return found;
  }
  throw new AppError('message-not-found', `session "${ref.session}" has no message at revision ${revision}`);
};

const foundIn = ({ event, revision, recordedAt }: Recorded, ref: SessionRef): FoundMessage | undefined =>
  event.type === 'MessageAppended' ? { ref, revision, recordedAt, data: event.data } : undefined;

/** Returns the source of a fork. Reads the start of the stream: the copied messages of a fork, or two events. */
const originOf = async (log: EventLog, ref: SessionRef): Promise<EventData<'SessionForked'> | undefined> => {
  for await (const { event } of log.readForwards(streamOf(ref))) {
    if (event.type === 'SessionForked') return event.data;
    const isCopied = event.type === 'MessageAppended' && event.data.estimator === 'copied';
    if (event.type !== 'SessionOpened' && !isCopied) return undefined;
  }
  return undefined;
};

/** Yields messages from one on, in order, including those of a fork's source up to the fork. */
export async function* messagesFrom(
  { log }: MessageSources,
  first: FoundMessage,
): AsyncGenerator<FoundMessage, void, undefined> {
  for await (const recorded of log.readForwards(streamOf(first.ref), { from: first.revision })) {
    const found = foundIn(recorded, first.ref);
    if (found) yield found;
  }
}

/**
 * Yields messages before a revision, newest first, followed by those of a fork's source. Stops at a reset: the model must not
 * see messages that the user has cleared.
 */
export async function* messagesBefore(
  sources: MessageSources,
  ref: SessionRef,
  revision: Revision,
): AsyncGenerator<FoundMessage, void, undefined> {
  let [at, before] = [ref, revision];
  for (let forks = 0; forks < FORKS_MAX; forks += 1) {
    let first: MessageId | undefined;
    if (before > 0) {
      for await (const recorded of sources.log.readBackwards(streamOf(at), { from: Revision(before - 1) })) {
        if (recorded.event.type === 'SessionReset') return;
        const found = foundIn(recorded, at);
        if (!found) continue;
        first = found.data.message.id;
        yield found;
      }
    }
    const origin = await originOf(sources.log, at);
    if (!origin) return;
    const source = { tenant: ref.tenant, session: origin.from.sessionId };
    const kept = origin.cut?.messageId ?? first;
    const from = kept === undefined ? undefined : await revisionIn(sources, source, kept);
    [at, before] = [source, from ?? Revision(origin.from.revision + 1)];
  }
}
