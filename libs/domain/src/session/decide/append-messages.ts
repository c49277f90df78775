import { AppError, canonicalJson, type MessageId } from '@app/kernel';
import type { AppendMessagesCommand, CountedMessage } from '../commands.js';
import type { SessionEvent } from '../events.js';
import { entryOf, type OpenSession } from '../state.js';
import { calibrationOf } from './calibration-of.js';
import { stateAfterAll } from './run-stages.js';

/** As many tokens as are counted. */
const SAME = 1_000;

/**
 * Records messages in order, and what the provider billed for the last of them. A message that stands in the
 * context already, or twice in one command, is a retry and no news; another message under its id is refused.
 */
export const appendMessages = (
  { data }: AppendMessagesCommand,
  session: OpenSession,
): readonly SessionEvent[] => {
  const news = newsAmong(data.messages, session);
  const appended = news.map((counted): SessionEvent => ({ type: 'MessageAppended', data: counted }));
  // Usage comes with the message that it was billed for: with a retried one it has been recorded before.
  const isRetry = data.messages.length > 0 && news.length === 0;
  if (!data.usage || isRetry) return appended;
  const isShortened = session.request.rung !== undefined;
  const usage = { ...data.usage, ...(isShortened && { shortened: true }) };
  const answered = stateAfterAll(session, appended);
  const calibration = calibrationOf(answered, usage, data.perThousand ?? SAME);
  return [...appended, { type: 'UsageReported', data: { ...usage, ...(calibration && { calibration }) } }];
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
