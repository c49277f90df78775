import {
  budgetState,
  type CompactionCompleted,
  type SessionEvent,
  type SessionOpened,
  startsTurn,
} from '@app/domain';
import { Tokens } from '@app/kernel';
import type { SessionRow } from '../../rows/read-tables.js';
import type { SessionLogEvent } from '../projection.js';

/**
 * Returns the session's row after one more event. It counts no tokens: what the next request takes stands beside the
 * last event of each command, as the domain has worked it out, and in events that are about nothing else.
 */
export const foldSession = (
  row: SessionRow | undefined,
  recorded: SessionLogEvent,
): SessionRow | undefined => {
  const { event, revision, position, recordedAt, context } = recorded;
  if (event.type === 'SessionOpened') return withState(opened(recorded, event));
  // Of a session whose beginning is missing from the log there is nothing to say here: the audit has the event.
  if (!row) return undefined;
  const occupancy = context.occupancy ?? statedBy(event) ?? row.occupancy;
  return withState({ ...row, ...change(event, row), occupancy, revision, position, updated_at: recordedAt });
};

const change = (event: SessionEvent, row: SessionRow): Partial<SessionRow> => {
  switch (event.type) {
    case 'MessageAppended':
      return {
        messages: row.messages + 1,
        turns: row.turns + (startsTurn(event.data.message) ? 1 : 0),
      };
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
      return { model: event.data.model, window_tokens: event.data.limits.window };
    case 'CompactionCompleted':
    case 'SessionReset':
    case 'SessionForked':
      return beginAnew(event.data);
    case 'CompactionReverted':
      return { pivot: event.data.restored, compactions: event.data.compactions };
    case 'SessionClosed':
      return { closed: true };
    default:
      return {}; // Nothing that the row shows, but that it happened.
  }
};

/** What the next request takes, where the event itself says so. */
const statedBy = ({ data }: SessionEvent): Tokens | undefined =>
  'occupancyAfter' in data ? data.occupancyAfter : undefined;

const opened = (
  { tenant, session, revision, position, recordedAt, context }: SessionLogEvent,
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
  idle_at: data.profile.idleAt,
  closed: false,
});

const beginAnew = ({
  compactionId,
  opening,
}: Pick<CompactionCompleted['data'], 'compactionId' | 'opening'>): Partial<SessionRow> => ({
  pivot: compactionId,
  compactions: opening.compactions,
});

const withState = (row: SessionRow): SessionRow => {
  const profile = { warnAt: row.warn_at, requireAt: row.require_at, blockAt: row.block_at };
  return { ...row, state: budgetState(row.occupancy, { window: Tokens(row.window_tokens) }, profile) };
};
