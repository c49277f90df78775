import { requestFor } from '../evolve/changes/report-usage.js';
import type { SessionEvent } from '../session/events.js';
import type { OpenSession } from '../session/state.js';
import { billed } from './bill.js';
import type { ReportUsageCommand } from './commands.js';

/**
 * Records usage that is reported without an answer. Without a request id it belongs to the last unbilled request
 * before the newest answer, else to the newest unbilled request, else to the newest answer.
 *
 * @throws {AppError} `request-not-found`.
 */
export const reportUsage = ({ data }: ReportUsageCommand, session: OpenSession): readonly SessionEvent[] => {
  const { usage } = data;
  if (usage.requestId !== undefined) return billed(session, data);
  const answer = session.entries.findLast(({ message }) => message.role === 'assistant');
  const answered = answer && requestFor(session, answer);
  const request =
    answered && !answered.isBilled ? answered : session.requests.findLast(({ isBilled }) => !isBilled);
  if (request) return billed(session, { ...data, usage: { ...usage, requestId: request.requestId } });
  if (session.requests.length > 0 || !answer) return [];
  return billed(session, { ...data, usage: { ...usage, messageId: answer.message.id } });
};
