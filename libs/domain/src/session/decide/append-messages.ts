import { AppError, canonicalJson } from '@app/kernel';
import type { AppendMessagesCommand, CountedMessage } from '../commands.js';
import type { SessionEvent } from '../events.js';
import { entryOf, type OpenSession } from '../state.js';

/**
 * Records messages in order, and what the provider billed for the last of them. A message that stands in the
 * context already is a retry and no news; another message under its id is refused.
 */
export const appendMessages = (
  { data }: AppendMessagesCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  const news = data.messages.filter((counted) => isNews(counted, session));
  const appended = news.map((counted): SessionEvent => ({ type: 'MessageAppended', data: counted }));
  // Usage comes with the message that it was billed for: with a retried one it has been recorded before.
  const isRetry = data.messages.length > 0 && news.length === 0;
  return data.usage && !isRetry ? [...appended, { type: 'UsageReported', data: data.usage }] : appended;
};

const isNews = ({ message }: CountedMessage, session: OpenSession): boolean => {
  const known = entryOf(session, message.id);
  if (!known) return true;
  if (canonicalJson(known.message) === canonicalJson(message)) return false;
  throw new AppError(
    'message-conflict',
    `message "${message.id}" is recorded with other content: use another id`,
  );
};
