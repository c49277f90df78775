import { AppError, canonicalJson, type MessageId } from '@app/kernel';
import type { SessionEvent } from '../session/events.js';
import { entryOf, type OpenSession } from '../session/state.js';
import { billed } from './bill.js';
import type { AppendMessagesCommand, CountedMessage } from './commands.js';
import { stateAfterEvents } from './run-stages.js';

/**
 * Records messages in order, and what the provider billed for the last of them. A message that stands in the
 * context already, or twice in one command, is a retry and no news; another message under its id is refused.
 *
 * @throws {AppError} `message-conflict`; `request-not-found` where the bill names a request that was never composed.
 */
export const appendMessages = (
  { data }: AppendMessagesCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  const news = newsAmong(data.messages, session);
  const appended = news.map((counted): SessionEvent => ({ type: 'MessageAppended', data: counted }));
  if (!data.usage) return appended;
  // Usage comes with the message that it was billed for: with a retried one it has been recorded before, or its request says.
  const isRetry = data.messages.length > 0 && news.length === 0;
  return [
    ...appended,
    ...billed(stateAfterEvents(session, appended), { ...data, usage: data.usage, isRetry }),
  ];
};

const newsAmong = (messages: readonly CountedMessage[], session: OpenSession): readonly CountedMessage[] => {
  const news = new Map<MessageId, CountedMessage>();
  for (const counted of messages) {
    const { message } = counted;
    const known = news.get(message.id)?.message ?? entryOf(session, message.id)?.message;
    if (!known) news.set(message.id, counted);
    else if (canonicalJson(known) !== canonicalJson(message)) throw conflict(message.id);
  }
  return [...news.values()];
};

const conflict = (id: MessageId): AppError =>
  new AppError('message-conflict', `message "${id}" is recorded with other content: use another id`);
