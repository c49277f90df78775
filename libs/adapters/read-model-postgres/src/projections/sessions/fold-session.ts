import {
  type EventData,
  type EventOf,
  isActivity,
  isPivotEvent,
  profileFor,
  type SessionDescription,
  type SessionEvent,
  type StateThresholds,
  startsTurn,
  stateAt,
  stateThresholds,
} from '@app/domain';
import { Tokens } from '@app/kernel';
import type { SessionRow } from '../../rows/read-tables.js';
import { occupancyAfter, type SessionLogEvent } from '../projection.js';

/** A row that is being folded; its state is up to date after {@link setState}. */
type Row = { -readonly [Column in keyof SessionRow]: SessionRow[Column] };

/**
 * Returns the session's row after one more event, changed in place. It counts no tokens: the domain records occupancy on the
 * last event of each command.
 */
export const foldSession = (row: Row | undefined, recorded: SessionLogEvent): Row | undefined => {
  const { event, revision, position, recordedAt } = recorded;
  if (event.type === 'SessionOpened') return opened(recorded, event);
  // The log lacks the beginning of this session: there is no row to update. The audit has the event.
  if (!row) return undefined;
  Object.assign(row, change(event, row));
  row.occupancy = occupancyAfter(recorded) ?? row.occupancy;
  row.revision = revision;
  row.position = position;
  row.updated_at = recordedAt;
  if (isActivity(event)) row.active_at = recordedAt;
  return row;
};

const change = (event: SessionEvent, row: SessionRow): Partial<SessionRow> => {
  switch (event.type) {
    case 'MessageAppended':
      return {
        messages: row.messages + 1,
        turns: row.turns + (startsTurn(event.data.message) ? 1 : 0),
      };
    case 'SettingsChanged': {
      const { limits } = event.data;
      const profile = profileFor(event.data.profile, row.model);
      return {
        profile: profile.name,
        ...sharesOf(limits.window, stateThresholds(limits, profile)),
        idle_after_minutes: profile.idleAfterMinutes,
        idle_at: profile.idleAtShare,
        window_tokens: limits.window,
      };
    }
    case 'SessionDescribed':
      return described(event.data);
    case 'ModelSwitched':
      return {
        model: event.data.model,
        window_tokens: event.data.limits.window,
        ...sharesOf(event.data.limits.window, event.data.thresholds),
      };
    case 'ContentErased':
      return {
        pivot: event.data.restored,
        compactions: event.data.compactions,
        ...(event.data.isDescriptionErased && described({ labels: {} })),
      };
    case 'CompactionCompleted':
      return isPivotEvent(event) ? beginAnew(event.data) : {};
    case 'SessionReset':
    case 'SessionForked':
      return beginAnew(event.data);
    case 'CompactionReverted':
      return { pivot: event.data.restored, compactions: event.data.compactions };
    case 'SessionClosed':
      return { closed: true };
    case 'RetentionPeriodSet':
      return {
        retention_mode: event.data.mode,
        retain_until: event.data.until,
        retention_days: event.data.days ?? null,
      };
    case 'RetentionPeriodRemoved':
    case 'RetentionPeriodEnded':
      return NO_PERIOD;
    case 'LegalHoldPlaced': {
      const { matter, reason, by, at } = event.data;
      return { legal_holds: { ...row.legal_holds, [matter]: { reason, by, at } } };
    }
    case 'LegalHoldReleased': {
      const { [event.data.matter]: _, ...legal_holds } = row.legal_holds;
      return { legal_holds };
    }
    default:
      return {}; // Nothing that the row shows, but that it happened.
  }
};

const NO_PERIOD = { retention_mode: null, retain_until: null, retention_days: null } as const;

const opened = (
  { tenant, session, revision, position, recordedAt, context }: SessionLogEvent,
  { data }: EventOf<'SessionOpened'>,
): Row => ({
  tenant,
  session,
  parent: data.parentSessionId ?? null,
  agent: data.agent ?? null,
  ...described(data),
  profile: data.profile.name,
  model: data.model,
  window_tokens: data.limits.window,
  ...sharesOf(data.limits.window, stateThresholds(data.limits, profileFor(data.profile, data.model))),
  occupancy: context.occupancy ?? data.fixedTokens,
  state: 'normal',
  pivot: null,
  turns: 0,
  messages: 0,
  compactions: 0,
  revision,
  position,
  opened_at: recordedAt,
  updated_at: recordedAt,
  idle_after_minutes: data.profile.idleAfterMinutes,
  idle_at: profileFor(data.profile, data.model).idleAtShare,
  closed: false,
  ...NO_PERIOD,
  legal_holds: {},
  active_at: recordedAt,
});

const described = ({ title, project, labels }: SessionDescription) => ({
  title: title ?? null,
  project: project ?? null,
  labels: { ...labels },
});

const beginAnew = ({
  compactionId,
  opening,
}: Pick<EventData<'CompactionCompleted'>, 'compactionId' | 'opening'>): Partial<SessionRow> => ({
  pivot: compactionId,
  compactions: opening.compactions,
});

/** Returns the thresholds as shares of the window; `null` for an unlimited one. */
const sharesOf = (
  window: number,
  { warning, critical, blocking }: StateThresholds,
): Pick<SessionRow, 'warn_at' | 'require_at' | 'block_at'> => {
  const share = (tokens: number): number => (window === 0 ? 1 : tokens / window);
  return { warn_at: share(warning), require_at: share(critical), block_at: share(blocking) };
};

/** Sets the state of a row from its other columns. */
export const setState = (row: Row): void => {
  // A share was made by a division: multiplied again it may miss its token by a trifle.
  const tokens = (share: number): Tokens => Tokens(Math.round(row.window_tokens * share));
  const thresholds = {
    warning: tokens(row.warn_at),
    critical: tokens(row.require_at),
    blocking: tokens(row.block_at),
  };
  row.state = row.window_tokens === 0 ? 'normal' : stateAt(row.occupancy, thresholds);
};
