import {
  type CompactionCompleted,
  type CompactionReverted,
  calibrationInForce,
  type MessageAppended,
  profileFor,
  type RequestCounted,
  type SessionOpened,
  type StateThresholds,
  startsTurn,
  stateAt,
  stateThresholds,
  type UsageReported,
} from '@app/domain';
import { isJsonObject, Tokens } from '@app/kernel';
import type { SessionRow } from '../../rows/read-tables.js';
import { storableText } from '../../rows/storable.js';
import type { SessionLogEvent } from '../projection.js';

/** Where a message stands in its session: after `ordinal` messages; with it, they have `upTo` tokens. */
export type MessagePlace = { readonly ordinal: number; readonly tokens: number; readonly upTo: number };
/** The newest message of that id in the session, where it may still be in its context. */
export type FindMessage = (messageId: string) => MessagePlace | undefined;

/**
 * The session's row after one more event. It counts as `evolve` and `occupancy` of the domain do, without the
 * messages: what they need of the past is in the row, or found by a message's id.
 */
export const foldSession = (
  row: SessionRow | undefined,
  recorded: SessionLogEvent,
  find: FindMessage,
): SessionRow | undefined => {
  const { event, revision, position, recordedAt } = recorded;
  if (event.type === 'SessionOpened') return withState(opened(recorded, event));
  // Of a session whose beginning is missing from the log there is nothing to say here: the audit has the event.
  if (!row) return undefined;
  return withState({ ...row, ...change(recorded, row, find), revision, position, updated_at: recordedAt });
};

const change = ({ event }: SessionLogEvent, row: SessionRow, find: FindMessage): Partial<SessionRow> => {
  switch (event.type) {
    case 'MessageAppended':
      return append(event, row);
    case 'UsageReported':
      return reportUsage(event, row, find);
    case 'RequestCounted':
      return takeCount(event, row);
    case 'CompactionCompleted':
      return { ...beginAnew(event.data), pivot_messages: row.messages, billed_messages: 0 };
    // What a request carries besides the session is known from here on, and not before.
    case 'CompactionRequested':
      return event.data.contributed === undefined ? {} : { occupancy: event.data.occupancy };
    case 'RequestRefused':
      return { occupancy: event.data.occupancy };
    case 'RequestComposed':
      return { occupancy: event.data.tokens };
    case 'SettingsChanged': {
      const { limits } = event.data;
      const profile = profileFor(event.data.profile, row.model);
      return {
        profile: profile.name,
        ...sharesOf(limits.window, stateThresholds(limits, profile)),
        idle_after_minutes: profile.idleAfterMinutes,
        idle_at: profile.idleAt,
        window_tokens: limits.window,
      };
    }
    case 'ModelSwitched':
      return {
        ...newEpoch(row, event.data.occupancyAfter),
        model: event.data.model,
        window_tokens: event.data.limits.window,
        ...sharesOf(event.data.limits.window, event.data.thresholds),
      };
    case 'ContentPinned':
    case 'ContentUnpinned':
    case 'ToolResultOffloaded':
    case 'ToolOutputsPruned':
    case 'ReasoningDropped':
    case 'SegmentCollapsed':
      return newEpoch(row, event.data.occupancyAfter);
    case 'SessionReset':
      return { ...newEpoch(row, requestOf(row, event.data.tokensAfter)), ...beginAnew(event.data) };
    case 'SessionForked':
      return { ...newEpoch(row, event.data.occupancyAfter), ...beginAnew(event.data) };
    case 'CompactionReverted':
      return revert(event, row);
    case 'SessionClosed':
      return { closed: true };
    case 'CompactionApplied':
      return { occupancy: event.data.occupancyAfter, occupancy_reported: false };
    default:
      return {}; // Nothing that the row shows, but that it happened.
  }
};

const revert = ({ data }: CompactionReverted, row: SessionRow): Partial<SessionRow> => {
  const { restored, occupancyAfter, messagesBefore, compactions, carried } = data;
  return {
    ...newEpoch(row, occupancyAfter),
    pivot: restored,
    compactions,
    before_messages: messagesBefore,
    carried: carried === null ? null : storableText(carried),
  };
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
  ...sharesOf(data.limits.window, stateThresholds(data.limits, profileFor(data.profile, data.model))),
  idle_after_minutes: data.profile.idleAfterMinutes,
  idle_at: profileFor(data.profile, data.model).idleAt,
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
  appended_tokens: 0,
  before_messages: 0,
  pivot_messages: 0,
  billed_messages: 0,
  carried: null,
  closed: false,
  calibrations: '{}',
});

const append = ({ data: { message, tokens } }: MessageAppended, row: SessionRow): Partial<SessionRow> => {
  const counted = {
    messages: row.messages + 1,
    turns: row.turns + (startsTurn(message) ? 1 : 0),
    appended_tokens: row.appended_tokens + tokens,
  };
  // System messages from the head of a session belong to its system prompt and stand before the context. What a
  // provider billed has them in it; an estimate counts them like any other.
  const leads = message.role === 'system' && row.messages === row.before_messages && row.pivot === null;
  const occupancy = row.occupancy + calibrated(row, tokens);
  if (!leads) return { ...counted, occupancy };
  return {
    ...counted,
    occupancy: row.occupancy_reported ? row.occupancy : occupancy,
    before_messages: row.before_messages + 1,
  };
};

/** Only a completed, billed call of this epoch that this engine composed, whole, says anything about the next request. */
const reportUsage = ({ data }: UsageReported, before: SessionRow, find: FindMessage): Partial<SessionRow> => {
  const { usage, outcome, source, epoch, messageId, shortened } = data;
  const row = { ...before, calibrations: calibrationsAfter(before, data) };
  const { calibrations } = row;
  const billed = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens + usage.outputTokens;
  if (billed === 0 || outcome !== 'completed' || source !== 'reported') return {};
  if (shortened) return {};
  if (epoch !== undefined && epoch !== row.compactions) return {};
  const messages = messageId === undefined ? row.messages : messagesBilled(find(messageId), row);
  if (messages === undefined || messages < row.billed_messages) return {};
  const answer = messageId === undefined ? undefined : find(messageId);
  const since = answer ? row.appended_tokens - answer.upTo : 0;
  const occupancy = billed + calibrated(row, since);
  return { calibrations, occupancy, occupancy_reported: true, billed_messages: messages };
};

/** A provider's count says of the whole request what its bill would. */
const takeCount = ({ data }: RequestCounted, row: SessionRow): Partial<SessionRow> =>
  data.counter === 'provider'
    ? { occupancy: data.tokens, occupancy_reported: true, billed_messages: row.messages }
    : {};

type Learned = { readonly perThousand: number; readonly overhead: number };

/** What is counted, in tokens of the session's provider, as far as they are known: rounded message by message. */
const calibrated = (row: SessionRow, tokens: number): number => {
  const learned = learnedIn(row.calibrations)[row.model];
  return learned ? Math.round((tokens * learned.perThousand) / 1_000) : tokens;
};
/** The same of a whole request. */
const requestOf = (row: SessionRow, tokens: number): Tokens =>
  Tokens(calibrated(row, tokens) + (learnedIn(row.calibrations)[row.model]?.overhead ?? 0));

const calibrationsAfter = (row: SessionRow, { calibration }: UsageReported['data']): string => {
  if (!calibration) return row.calibrations;
  const { model } = calibration;
  const limits = { window: Tokens(row.window_tokens) };
  const inForce = calibrationInForce({ model, calibrations: [calibration], limits });
  if (!inForce) return row.calibrations;
  const { perThousand, overhead } = inForce;
  return JSON.stringify({ ...learnedIn(row.calibrations), [storableText(model)]: { perThousand, overhead } });
};

const learnedIn = (calibrations: string): Readonly<Record<string, Learned>> => {
  const parsed: unknown = JSON.parse(calibrations);
  return isJsonObject(parsed) ? Object.fromEntries(Object.entries(parsed).filter(isLearned)) : {};
};
const isLearned = (entry: [string, unknown]): entry is [string, Learned] => {
  const [, value] = entry;
  return isJsonObject(value) && typeof value.perThousand === 'number' && typeof value.overhead === 'number';
};

/** How many messages the bill is for: `undefined` where its answer is older than the compaction in force. */
const messagesBilled = (answer: MessagePlace | undefined, row: SessionRow): number | undefined => {
  if (!answer || answer.ordinal < Math.max(row.pivot_messages, row.before_messages)) return undefined;
  return answer.ordinal + 1;
};

/** Bills for older requests say nothing about the next one. */
const newEpoch = (row: SessionRow, occupancy: Tokens): Partial<SessionRow> => ({
  occupancy,
  occupancy_reported: false,
  pivot_messages: row.messages,
  billed_messages: 0,
});

const beginAnew = ({
  compactionId,
  opening,
}: Pick<CompactionCompleted['data'], 'compactionId' | 'opening'>): Partial<SessionRow> => ({
  pivot: compactionId,
  compactions: opening.compactions,
  before_messages: opening.messagesBefore,
  carried: opening.carried ? storableText(opening.carried.message.id) : null,
});

/** Where the states begin, as shares of the window; an unlimited one has none. */
const sharesOf = (
  window: number,
  { warning, critical, blocking }: StateThresholds,
): Pick<SessionRow, 'warn_at' | 'require_at' | 'block_at'> => {
  const share = (tokens: number): number => (window === 0 ? 1 : tokens / window);
  return { warn_at: share(warning), require_at: share(critical), block_at: share(blocking) };
};

const withState = (row: SessionRow): SessionRow => {
  // A share was made by a division: multiplied again it may miss its token by a trifle.
  const tokens = (share: number): Tokens => Tokens(Math.round(row.window_tokens * share));
  const thresholds = {
    warning: tokens(row.warn_at),
    critical: tokens(row.require_at),
    blocking: tokens(row.block_at),
  };
  return { ...row, state: row.window_tokens === 0 ? 'normal' : stateAt(row.occupancy, thresholds) };
};
