import type { auditRow, auditTotals, Shape } from '@app/contract';
import type { SessionEventType, TenantDecision, Trigger } from '@app/domain';
import type { IsoTime, LogPosition, SessionId, TenantId } from '@app/kernel';
import { DESCRIPTION_GROUPS, type DescriptionFilter, type LabelGroup } from '../session-list.js';

/** Outcomes of a compaction. */
export const COMPACTION_OUTCOMES = ['completed', 'failed', 'skipped', 'cancelled', 'reverted'] as const;
export type CompactionOutcome = (typeof COMPACTION_OUTCOMES)[number];

/** Events of sessions, and decisions about the tenant itself: keys, limits, secrets, summarizers, models, webhooks. */
export type AuditEventType = SessionEventType | TenantDecision['type'];

/** A row of an answer with its position as a number; JSON has it as a string. */
export type InLog<Row> = Omit<Row, 'position'> & { readonly position: LogPosition };
export type AuditRow = InLog<Shape<typeof auditRow>>;

/** Rows of one tenant that all of these let pass. */
export type AuditFilter = DescriptionFilter & {
  readonly tenant: TenantId;
  readonly session?: SessionId;
  /** Any of them; an empty list lets nothing pass. */
  readonly types?: readonly AuditEventType[];
  readonly trigger?: Trigger;
  readonly outcome?: CompactionOutcome;
  readonly profile?: string;
  readonly model?: string;
  readonly actor?: string;
  readonly correlationId?: string;
  readonly compactionId?: string;
  /** A name that a compaction has lost, or words of a lost directive. */
  readonly lost?: string;
  /** Inclusive. */
  readonly since?: IsoTime;
  /** Exclusive. */
  readonly until?: IsoTime;
  /** The last log position of the search, inclusive. */
  readonly upTo?: LogPosition;
};

/** By place in the log, or by time of recording and then by place; `-` for the newest first. */
export const AUDIT_SORTS = ['-position', 'position', '-time', 'time'] as const;
export type AuditSort = (typeof AUDIT_SORTS)[number];
/** The position of a row in either order. */
export type AuditPlace = Pick<AuditRow, 'position' | 'recordedAt'>;

export type AuditQuery = AuditFilter & {
  /** Default: `-position`. */
  readonly sort?: AuditSort;
  /** The last row of the page before, in the same order. */
  readonly after?: AuditPlace;
  /** At most 1,000. */
  readonly limit: number;
};

/** Dimensions for counting rows, beside {@link LabelGroup}; days are UTC. */
export const AUDIT_GROUPS = [
  'type',
  'day',
  'actor',
  'outcome',
  'trigger',
  'profile',
  'model',
  'session',
  ...DESCRIPTION_GROUPS,
] as const;
export type AuditGroup = (typeof AUDIT_GROUPS)[number] | LabelGroup;
export type AuditTotalsQuery = AuditFilter & { readonly by: AuditGroup };
export type AuditTotals = Shape<typeof auditTotals>;
