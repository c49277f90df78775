import type {
  auditReadRow,
  auditRow,
  auditTotals,
  compactionRecord,
  costTotal,
  Shape,
  usageTotals,
} from '@app/contract';
import type { SessionEventType, TenantDecision, Trigger } from '@app/domain';
import type { IsoTime, LogPosition, SessionId, TenantId } from '@app/kernel';
import { DESCRIPTION_GROUPS, type DescriptionFilter, type LabelGroup } from './session-list.js';

/** Outcomes of a compaction. */
export const COMPACTION_OUTCOMES = ['completed', 'failed', 'skipped', 'cancelled', 'reverted'] as const;
export type CompactionOutcome = (typeof COMPACTION_OUTCOMES)[number];

/** Events of sessions, and decisions about the tenant itself: keys, limits, secrets, summarizers, models, webhooks. */
export type AuditEventType = SessionEventType | TenantDecision['type'];

/** A row of an answer with its position as a number; JSON has it as a string. */
type InLog<Row> = Omit<Row, 'position'> & { readonly position: LogPosition };
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

/** `audit`: facts without text; `content`: text that people and models wrote. */
export const READ_KINDS = ['audit', 'content'] as const;
export type ReadKind = (typeof READ_KINDS)[number];

/** A recorded read of a tenant's audit by a caller. */
export type AuditReadRecord = InLog<Shape<typeof auditReadRow>>;

export type AuditReadsQuery = {
  readonly tenant: TenantId;
  readonly kind?: ReadKind;
  readonly session?: SessionId;
  readonly actor?: string;
  /** The last one of the page before. */
  readonly after?: Pick<AuditReadRecord, 'position'>;
  /** At most 1,000. */
  readonly limit: number;
};

/** Dimensions of usage totals, beside {@link LabelGroup}. */
export const USAGE_GROUPS = ['day', 'model', 'profile', 'tenant', 'session', ...DESCRIPTION_GROUPS] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number] | LabelGroup;
export type UsageSource = UsageTotals['groups'][number]['source'];
export type UsageQuery = DescriptionFilter & {
  /** `all` is for the operator alone. */
  readonly tenant: TenantId | 'all';
  /** Days in UTC, such as `2026-11-21`; both inclusive. */
  readonly from?: string;
  readonly to?: string;
  readonly by: UsageGroup;
};

export type CostTotal = Shape<typeof costTotal>;
export type UsageTotals = Shape<typeof usageTotals>;

export type CompactionRecord = InLog<Shape<typeof compactionRecord>>;

export type CompactionSearch = DescriptionFilter & {
  readonly tenant: TenantId;
  readonly session?: SessionId;
  readonly trigger?: Trigger;
  readonly outcome?: CompactionOutcome | 'open';
  readonly profile?: string;
  /** The summarizer's. */
  readonly model?: string;
  readonly actor?: string;
  /** When it was requested: inclusive. */
  readonly since?: IsoTime;
  /** Exclusive. */
  readonly until?: IsoTime;
  /** Default: newest request first. */
  readonly sort?: '-position' | 'position';
  /** The last one of the page before. */
  readonly after?: Pick<CompactionRecord, 'position'>;
  /** At most 1,000. */
  readonly limit: number;
};
