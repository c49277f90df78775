import { AppError, canonicalJson, type MessageId, type RequestId, Tokens } from '@app/kernel';
import { measureOf, requestFor } from '../evolve/changes/report-usage.js';
import { type Message, withSubjects } from '../message/index.js';
import type { EventOf, SessionEvent } from '../session/events.js';
import type { RequestRecord } from '../session/request-parts.js';
import { entryOf, type OpenSession } from '../session/state.js';
import { calibrationOf } from './calibration-of.js';
import type { CommandOf, CountedMessage, Decide, RequestBill } from './commands.js';
import { stateAfterEvents } from './run-stages.js';
import { occupancyAfter } from './state-after.js';

/**
 * Records messages in order, and the usage billed for the last one. A message that is in the context already, or
 * twice in the command, is a retry and is ignored; another message under its id is rejected.
 *
 * @throws {AppError} `message-conflict`; `request-not-found` if the usage names an unknown request.
 */
export const appendMessages: Decide<'AppendMessages'> = ({ data }, session) => {
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

/**
 * Records usage that is reported without an answer. Without a request id it belongs to the last unbilled request
 * before the newest answer, else to the newest unbilled request, else to the newest answer.
 *
 * @throws {AppError} `request-not-found`.
 */
export const reportUsage: Decide<'ReportUsage'> = ({ data }, session) => {
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

/** Billed tokens per thousand counted ones of an unknown model. */
const SAME = 1_000;

/** A bill, as a command brings it. */
type BillGiven = Pick<CommandOf<'ReportUsage'>['data'], 'usage' | 'perThousand' | 'earlierRequest'> & {
  /** Whether it arrives with messages that were all recorded before. */
  readonly isRetry?: boolean;
};

/**
 * Records usage with its request: the named one, else the one of its answer. A second report for a request is
 * ignored. `session` contains the answer, if there is one.
 *
 * @throws {AppError} `request-not-found` if it names a request that was never composed in this session.
 */
const billed = (session: OpenSession, given: BillGiven): readonly SessionEvent[] => {
  const { usage, isRetry = false, perThousand = SAME } = given;
  if (usage.source !== 'reported') return isRetry ? [] : [reported(session, usage, perThousand)];
  if (usage.requestId !== undefined) {
    const known = session.requests.find(({ requestId }) => requestId === usage.requestId);
    if (!known && given.earlierRequest === undefined) throw unknown(session, usage.requestId);
    const isBilled = known ? known.isBilled : given.earlierRequest === 'billed';
    return isBilled ? [] : [reported(session, usage, perThousand)];
  }
  const request = requestOf(session, usage);
  if (request) {
    const named = { ...usage, requestId: request.requestId };
    return request.isBilled ? [] : [reported(session, named, perThousand)];
  }
  const isKnown = usage.messageId !== undefined && usage.messageId === session.lastBilledMessageId;
  return isRetry || isKnown ? [] : [reported(session, usage, perThousand)];
};

const reported = (session: OpenSession, bill: RequestBill, perThousand: number): EventOf<'UsageReported'> => {
  const calibration = calibrationOf(session, bill, perThousand);
  const countsFor = measureOf(session, bill) ? 'occupancy' : 'cost';
  const event: EventOf<'UsageReported'> = {
    type: 'UsageReported',
    data: { ...bill, countsFor, occupancyAfter: Tokens(0), ...(calibration && { calibration }) },
  };
  return { ...event, data: { ...event.data, occupancyAfter: occupancyAfter(session, event) } };
};

/** The request that an unnamed bill is for: the last one before its answer. */
const requestOf = (session: OpenSession, { messageId }: RequestBill): RequestRecord | undefined => {
  const answer = messageId && session.entries.findLast(({ message }) => message.id === messageId);
  return answer ? requestFor(session, answer) : undefined;
};

const unknown = ({ opened }: OpenSession, requestId: RequestId): AppError =>
  new AppError(
    'request-not-found',
    `no request "${requestId}" was composed in session "${opened.sessionId}": give the requestId that compose returned`,
  );
