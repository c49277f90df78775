import { AppError, canonicalJson, type MessageId } from '@app/kernel';
import { type Message, withSubjects } from '../message/index.js';
import type { SessionEvent } from '../session/events.js';
import { entryOf, type OpenSession } from '../session/state.js';
import { billed } from './bill.js';
import type { AppendMessagesCommand, CountedMessage } from './commands.js';
import { stateAfterEvents } from './run-stages.js';

/**
 * Records messages in order, and the usage billed for the last one. A message that is in the context already, or
 * twice in the command, is a retry and is ignored; another message under its id is rejected.
 *
 * @throws {AppError} `message-conflict`; `request-not-found` if the usage names an unknown request.
 */
export const appendMessages = (
  { data }: AppendMessagesCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  const newMessages = newsAmong(data.messages, session);
  const appended = newMessages.map((counted): SessionEvent => ({ type: 'MessageAppended', data: counted }));
  if (!data.usage) return appended;
  // Usage belongs to its message: with a retried message it was recorded before, or its request shows it.
  const isRetry = data.messages.length > 0 && newMessages.length === 0;
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
    else if (!isSame(known, message)) throw conflict(message.id);
  }
  return [...news.values()];
};

/** Erased content cannot be compared, and is not brought back by a caller that still has it. */
const isSame = (known: Message, given: Message): boolean =>
  known.erased !== undefined || canonicalJson(saidIn(known)) === canonicalJson(saidIn(given));

/** A caller that repeats a message later may add the time of its writing. */
const saidIn = (message: Message) => {
  const { createdAt: _, ...said } = withSubjects(message, []);
  return said;
};

const conflict = (id: MessageId): AppError =>
  new AppError('message-conflict', `message "${id}" is recorded with other content: use another id`);
