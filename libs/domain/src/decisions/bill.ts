import { AppError, type RequestId, Tokens } from '@app/kernel';
import { measureOf, requestFor } from '../evolve/changes/report-usage.js';
import type { SessionEvent, UsageReported } from '../session/events.js';
import type { RequestRecord } from '../session/request-record.js';
import type { OpenSession } from '../session/state.js';
import { calibrationOf } from './calibration-of.js';
import type { ReportUsageCommand, RequestBill } from './commands.js';
import { occupancyAfter } from './occupancy-after.js';

/** Billed tokens per thousand counted ones of an unknown model. */
const SAME = 1_000;

/** A bill, as a command brings it. */
export type BillGiven = Pick<ReportUsageCommand['data'], 'usage' | 'perThousand' | 'earlierRequest'> & {
  /** Whether it arrives with messages that were all recorded before. */
  readonly isRetry?: boolean;
};

/**
 * Records usage with its request: the named one, else the one of its answer. A second report for a request is
 * ignored. `session` contains the answer, if there is one.
 *
 * @throws {AppError} `request-not-found` if it names a request that was never composed in this session.
 */
export const billed = (session: OpenSession, given: BillGiven): readonly SessionEvent[] => {
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

const reported = (session: OpenSession, bill: RequestBill, perThousand: number): UsageReported => {
  const calibration = calibrationOf(session, bill, perThousand);
  const countsFor = measureOf(session, bill) ? 'occupancy' : 'cost';
  const event: UsageReported = {
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
