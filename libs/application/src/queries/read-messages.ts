import type { ExportedMessage } from '@app/contract';
import type { SessionEvent } from '@app/domain';
import { AppError, type JsonObject } from '@app/kernel';
import type { Recorded } from '@app/ports';

/**
 * Yields the messages among the events of a session, oldest first; only the given one, if any. Holds one message at a time.
 *
 * @throws {AppError} `message-not-found` at the end, if the given one was not found.
 */
export async function* exportedMessages(
  events: AsyncIterable<Recorded>,
  only?: string,
): AsyncGenerator<ExportedMessage, void, undefined> {
  let isFound = only === undefined;
  for await (const { event, revision } of events) {
    if (event.type !== 'MessageAppended') continue;
    const { id, role, blocks: content, synthetic, erased } = event.data.message;
    if (only !== undefined && only !== id) continue;
    isFound = true;
    yield {
      id,
      revision,
      role,
      content,
      ...(synthetic && { synthetic }),
      ...(erased && { erased }),
    };
  }
  if (!isFound)
    throw new AppError(
      'message-not-found',
      'the session has no such message: export the session to see all messages',
    );
}

/** The public form of an event. */
export type EventLine = Pick<Recorded, 'revision' | 'id' | 'recordedAt'> &
  Recorded['context'] & { readonly type: Recorded['event']['type']; readonly data: object };

/** Yields the public form of events. */
export async function* eventLines(
  events: AsyncIterable<Recorded>,
): AsyncGenerator<EventLine, void, undefined> {
  for await (const { revision, id, recordedAt, context, event } of events)
    yield { revision, type: event.type, id, recordedAt, ...context, data: event.data };
}

/** Yields events with the facts that `factsOf` returns in place of text. */
export async function* factLines(
  events: AsyncIterable<Recorded>,
  factsOf: (event: SessionEvent) => JsonObject,
): AsyncGenerator<EventLine & { readonly withheld: readonly ['data'] }, void, undefined> {
  for await (const { revision, id, recordedAt, context, event } of events) {
    const place = { revision, type: event.type, id, recordedAt, ...context };
    yield { ...place, data: factsOf(event), withheld: ['data'] };
  }
}
