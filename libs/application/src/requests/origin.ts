import type { Message, OpenSession } from '@app/domain';
import type { Origin } from '@app/formats';

/** Returns the input of a session's manifest; `news` are messages that are not in the session yet. */
export const originOf = (session: OpenSession, news: readonly Message[] = []): Origin => {
  const messages = [...session.entries.map(({ message }) => message), ...news];
  return {
    messages: new Map(messages.map((message) => [message.id, message])),
    isComplete: session.entries.length === session.messages,
  };
};
