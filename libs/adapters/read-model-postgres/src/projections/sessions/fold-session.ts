import {
  budgetState,
  type Calibration,
  type CompactionCompleted,
  type CompactionReverted,
  calibrationInForce,
  type KindSizes,
  type MessageAppended,
  messageSizes,
  type RequestCounted,
  type SessionOpened,
  sizesBy,
  startsTurn,
  totalOf,
  type UsageReported,
} from '@app/domain';
import { isJsonObject, Tokens } from '@app/kernel';
import type { SessionRow } from '../../rows/read-tables.js';
import { storableText } from '../../rows/storable.js';
import type { SessionLogEvent } from '../projection.js';

/**
 * The session's row after one more event. Its occupancy is billed tokens: events say what it has become,
 * and messages are estimated as the domain estimates them.
 */
export const foldSession = (
  row: SessionRow | undefined,
  recorded: SessionLogEvent,
): SessionRow | undefined => {
  const { event, revision, position, recordedAt } = recorded;
  if (event.type === 'SessionOpened') return withState(opened(recorded, event));
  // Of a session whose beginning is missing from the log there is nothing to say here: the audit has the event.
  if (!row) return undefined;
  return withState({ ...row, ...change(recorded, row), revision, position, updated_at: recordedAt });
};

const change = ({ event }: SessionLogEvent, row: SessionRow): Partial<SessionRow> => {
  switch (event.type) {
    case 'MessageAppended':
      return append(event, row);
    case 'UsageReported':
      return reportUsage(event, row);
    case 'RequestCounted':
      return takeCount(event, row);
    case 'CompactionCompleted':
      return beginAnew(event.data);
    // What a request carries besides the session is known from here on, and not before.
    case 'CompactionRequested':
      return event.data.contributed === undefined ? {} : { occupancy: event.data.occupancy };
    case 'RequestRefused':
      return { occupancy: event.data.occupancy };
    case 'RequestComposed':
      return { occupancy: event.data.occupancy };
    case 'SettingsChanged': {
      const { profile, limits } = event.data;
      return {
        profile: profile.name,
        warn_at: profile.warnAt,
        require_at: profile.requireAt,
        block_at: profile.blockAt,
        idle_after_minutes: profile.idleAfterMinutes,
        idle_at: profile.idleAt,
        window_tokens: limits.window,
      };
    }
    case 'ModelSwitched':
      return {
        ...newEpoch(event.data.occupancyAfter),
        model: event.data.model,
        window_tokens: event.data.limits.window,
      };
    case 'ContentPinned':
    case 'ContentUnpinned':
    case 'ToolResultOffloaded':
    case 'ToolOutputsPruned':
    case 'ReasoningDropped':
    case 'SegmentCollapsed':
      return newEpoch(event.data.occupancyAfter);
    case 'SessionReset':
      return { ...newEpoch(event.data.billedAfter), ...beginAnew(event.data) };
    case 'SessionForked':
      return { ...newEpoch(event.data.occupancyAfter), ...beginAnew(event.data) };
    case 'CompactionReverted':
      return revert(event);
    case 'SessionClosed':
      return { closed: true };
    case 'CompactionApplied':
      return newEpoch(event.data.billedAfter);
    default:
      return {}; // Nothing that the row shows, but that it happened.
  }
};

const revert = ({ data }: CompactionReverted): Partial<SessionRow> => {
  const { restored, billedAfter, messagesBefore, compactions } = data;
  return { ...newEpoch(billedAfter), pivot: restored, compactions, before_messages: messagesBefore };
};

const opened = (
  { tenant, session, revision, position, recordedAt }: SessionLogEvent,
  { data }: SessionOpened,
): SessionRow => ({
  tenant,
  session,
  parent: data.parentSessionId ?? null,
  profile: data.profile.name,
  model: data.model,
  window_tokens: data.limits.window,
  warn_at: data.profile.warnAt,
  require_at: data.profile.requireAt,
  block_at: data.profile.blockAt,
  occupancy: data.fixedTokens,
  occupancy_reported: false,
  state: 'normal',
  pivot: null,
  turns: 0,
  messages: 0,
  compactions: 0,
  revision,
  position,
  opened_at: recordedAt,
  updated_at: recordedAt,
  before_messages: 0,
  idle_after_minutes: data.profile.idleAfterMinutes,
  idle_at: data.profile.idleAt,
  closed: false,
  calibrations: '{}',
});

const append = (
  { data: { message, tokens, blockTokens } }: MessageAppended,
  row: SessionRow,
): Partial<SessionRow> => {
  const counted = {
    messages: row.messages + 1,
    turns: row.turns + (startsTurn(message) ? 1 : 0),
  };
  // System messages from the head of a session belong to its system prompt and stand before the context. What a
  // provider billed has them in it; an estimate counts them like any other.
  const leads = message.role === 'system' && row.messages === row.before_messages && row.pivot === null;
  const occupancy = row.occupancy + billedSize(row, messageSizes(message, tokens, blockTokens));
  if (!leads) return { ...counted, occupancy };
  return {
    ...counted,
    occupancy: row.occupancy_reported ? row.occupancy : occupancy,
    before_messages: row.before_messages + 1,
  };
};

const reportUsage = ({ data }: UsageReported, row: SessionRow): Partial<SessionRow> => ({
  calibrations: calibrationsAfter(row, data),
  occupancy: data.occupancyAfter,
  ...(data.countsFor === 'occupancy' && { occupancy_reported: true }),
});

/** A provider's count says of the whole request what its bill would. */
const takeCount = ({ data }: RequestCounted, row: SessionRow): Partial<SessionRow> => ({
  calibrations: calibrationsAfter(row, data),
  ...(data.counter === 'provider' && { occupancy: data.tokens, occupancy_reported: true }),
});

/** Of a model's calibration what estimates need. */
type Learned = Pick<Calibration, 'perThousand' | 'overhead' | 'kinds'>;

/** Billed tokens of content, as far as the tokens of the session's model are known. */
const billedSize = (row: SessionRow, sizes: KindSizes): number => {
  const learned = learnedIn(row.calibrations)[row.model];
  return learned ? sizesBy(learned, sizes) : totalOf(sizes);
};

const calibrationsAfter = (
  row: SessionRow,
  { calibration }: { readonly calibration?: Calibration },
): string => {
  if (!calibration) return row.calibrations;
  const { model } = calibration;
  const limits = { window: Tokens(row.window_tokens) };
  const inForce = calibrationInForce({ model, calibrations: [calibration], limits });
  if (!inForce) return row.calibrations;
  const { perThousand, overhead, kinds } = inForce;
  const learned: Learned = { perThousand, overhead, kinds };
  return JSON.stringify({ ...learnedIn(row.calibrations), [storableText(model)]: learned });
};

const learnedIn = (calibrations: string): Readonly<Record<string, Learned>> => {
  const parsed: unknown = JSON.parse(calibrations);
  return isJsonObject(parsed) ? Object.fromEntries(Object.entries(parsed).filter(isLearned)) : {};
};
const isLearned = (entry: [string, unknown]): entry is [string, Learned] => {
  const [, value] = entry;
  return isJsonObject(value) && typeof value.perThousand === 'number' && isJsonObject(value.kinds);
};

/** The context is another: what was billed is no longer what the next request will take. */
const newEpoch = (occupancy: Tokens): Partial<SessionRow> => ({ occupancy, occupancy_reported: false });

const beginAnew = ({
  compactionId,
  opening,
}: Pick<CompactionCompleted['data'], 'compactionId' | 'opening'>): Partial<SessionRow> => ({
  pivot: compactionId,
  compactions: opening.compactions,
  before_messages: opening.messagesBefore,
});

const withState = (row: SessionRow): SessionRow => {
  const profile = { warnAt: row.warn_at, requireAt: row.require_at, blockAt: row.block_at };
  return { ...row, state: budgetState(row.occupancy, { window: Tokens(row.window_tokens) }, profile) };
};
