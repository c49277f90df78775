import type { compactionSummary, Shape } from '@app/contract';
import type {
  CompactionId,
  IsoTime,
  Json,
  LogPosition,
  MessageId,
  Revision,
  SessionId,
  StreamName,
  TenantId,
} from '@app/kernel';
import type {
  AuditQuery,
  AuditReadRecord,
  AuditReadsQuery,
  AuditRow,
  AuditTotals,
  AuditTotalsQuery,
  CompactionRecord,
  CompactionSearch,
  UsageQuery,
  UsageTotals,
} from './audit.js';

import type {
  Activity,
  ActivityQuery,
  Milestone,
  MilestoneQuery,
  OccupancyBin,
  OccupancyQuery,
  RetainedTurn,
  RetentionQuery,
} from './occupancy.js';
import type { DueRetention, HeldSession, HeldSessionQuery } from './protection.js';
import type { SessionPage, SessionQuery, SessionSummary } from './session-list.js';
import type { KeyRecords } from './tenants/key-records.js';
import type { TenantPage, TenantPageRequest } from './tenants/tenant-list.js';

/** A part of a list; only the last page may be shorter than the limit. */
export type PageRequest = {
  /** Only rows before this log position: `next` of the previous page. */
  readonly before?: LogPosition;
  /** At most 1,000. */
  readonly limit: number;
};
export type Page<Item> = {
  readonly items: readonly Item[];
  /** The start of the next page; `null` on the last one. */
  readonly next: LogPosition | null;
};

export type CompactionSummary = Shape<typeof compactionSummary>;

/** The revision of a message; `undefined` if the rows do not contain it. `upTo` is the newest revision in the rows. */
export type MessagePlace = { readonly revision: Revision | undefined; readonly upTo: Revision | undefined };

/** A compaction that has been asked for and has not ended. */
export type UnfinishedCompaction = {
  readonly tenant: TenantId;
  readonly session: SessionId;
  readonly compactionId: CompactionId;
};

/** A session that nothing has happened to for as long as its profile calls idle, and that fills the share that matters. */
export type IdleSession = {
  readonly tenant: TenantId;
  readonly session: SessionId;
  readonly revision: number;
};

export const PROJECTION_NAMES = [
  'sessions',
  'compactions',
  'compaction_turns',
  'audit_events',
  'usage_by_day',
  'tenants',
  'api_keys',
  'audit_reads',
] as const;
export type ProjectionName = (typeof PROJECTION_NAMES)[number];
export type ProjectionStatus = {
  readonly projection: ProjectionName;
  /** Everything at or before this place in the log is in the rows; `null` before the first. */
  readonly position: LogPosition | null;
  readonly events: number;
  readonly updatedAt: IsoTime | null;
  /** Streams of which it has stopped the rows; counted up to 10,000 of all projections together. */
  readonly stoppedStreams: number;
};

/** A stream of which a projection has stopped the rows, before an event that it cannot take. */
export type StoppedStream = {
  readonly projection: ProjectionName;
  readonly stream: StreamName;
  /** Revision of the event in its stream. */
  readonly revision: Revision;
  /** Position of the event in the log. */
  readonly position: LogPosition;
  /** Type of the event in the log, which may be unknown to this service. */
  readonly type: string;
  /** Since when. */
  readonly at: IsoTime;
  /** The code of the error, without content. */
  readonly error: string;
  /** Whether the projector has been asked to try it again, and has not done so yet. */
  readonly retryRequested: boolean;
};

/** Stopped streams after `after`, in log order; those of one event are on one page. */
export type StoppedStreamQuery = {
  readonly projection?: ProjectionName;
  /** Position of the event at which they stopped. */
  readonly position?: LogPosition;
  readonly after?: LogPosition;
  /** From 1 to 1,000. */
  readonly limit: number;
};

/**
 * The projected data, as of the projector's position.
 *
 * @throws {AppError} `postgres-unavailable`.
 */
export interface ReadModels {
  /** Newest activity first. */
  sessions(tenant: TenantId): Promise<readonly SessionSummary[]>;
  /** In the requested order; default newest first. */
  audit(query: AuditQuery): Promise<readonly AuditRow[]>;
  /** Counts the rows that match a filter, by group. */
  auditTotals(query: AuditTotalsQuery): Promise<AuditTotals>;
  /** Returns the log position of a tenant's newest row; `undefined` without any. */
  auditEnd(tenant: TenantId): Promise<LogPosition | undefined>;
  /** Returns the reads of a tenant's records, newest first. */
  auditReads(query: AuditReadsQuery): Promise<readonly AuditReadRecord[]>;
  compactions(search: CompactionSearch): Promise<readonly CompactionRecord[]>;
  usage(query: UsageQuery): Promise<UsageTotals>;
  /** In the requested order; default newest activity first. */
  sessionPage(query: SessionQuery): Promise<SessionPage>;
  /** Newest request first; empty for an unknown session. As of the revision `upTo`, or now. */
  compactionPage(
    ref: { readonly tenant: TenantId; readonly session: SessionId; readonly upTo?: Revision },
    page: PageRequest,
  ): Promise<Page<CompactionSummary>>;
  /** Returns a session's occupancy in bins of revisions, oldest first; bins without a stated occupancy are absent. */
  occupancy(query: OccupancyQuery): Promise<readonly OccupancyBin[]>;
  /** Returns the same in bins of active time, with the idle times between. */
  activity(query: ActivityQuery): Promise<Activity>;
  /** Returns the events of the given types of a session, oldest first. */
  milestones(query: MilestoneQuery): Promise<readonly Milestone[]>;
  /** Returns the states of a range of a session's turns at its compactions, in the order of the log. */
  retainedTurns(query: RetentionQuery): Promise<readonly RetainedTurn[]>;
  /** Finds a message of a session by its id. */
  messageRevision(
    ref: { readonly tenant: TenantId; readonly session: SessionId },
    id: MessageId,
  ): Promise<MessagePlace>;
  /** Returns the keys of all tenants, for authentication. */
  apiKeys(): Promise<KeyRecords>;
  /** All tenants, in the order of their ids: for the operator. The operator's own is missing before it has an event. */
  tenants(page: TenantPageRequest): Promise<TenantPage>;
  unfinishedCompactions(): Promise<readonly UnfinishedCompaction[]>;
  /** Returns idle sessions of all tenants, newest first, at most 1,000. */
  idleSessions(now: IsoTime): Promise<readonly IdleSession[]>;
  /** Newest activity first. */
  heldSessions(query: HeldSessionQuery): Promise<Page<HeldSession>>;
  /** Returns the sessions of all tenants whose retention period has ended, or has to move. @param pageSize sessions read at once. */
  dueRetentions(now: IsoTime, pageSize?: number): AsyncIterable<DueRetention>;
  status(): Promise<readonly ProjectionStatus[]>;
  /** Reads stopped streams of all tenants, for the operator. */
  stoppedStreams(query: StoppedStreamQuery): Promise<Page<StoppedStream>>;
}

export type RebuildResult = {
  readonly projection: ProjectionName;
  readonly events: number;
  readonly rows: number;
};

/**
 * Turns the log into rows: single writer for each projection, each with its checkpoint in the transaction of its rows.
 */
export interface Projector {
  /**
   * Projects until `signal` aborts. A second process waits as a stand-by until the first has ended or stalled. An
   * event that a projection cannot apply stops the rows of its stream in that projection only.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Drops events in memory and reads them again; resolves when no rows are written from earlier reads. */
  reread(): Promise<void>;
  /**
   * Resolves when everything at or before `position` is in the rows, but for streams that are stopped.
   */
  reached(position: LogPosition | 'start', signal: AbortSignal): Promise<void>;
  /**
   * Asks the projecting process to retry stopped streams: those of a projection, of an event, or all. Returns their
   * number. After a successful retry the rows of a stream are complete and in order.
   */
  retry(which: { readonly projection?: ProjectionName; readonly position?: LogPosition }): Promise<number>;
  /**
   * Rebuilds the rows beside the old ones, which serve reads until the new ones have caught up and replace them.
   * Calls `onProgress` with the share of the log that was read, 0 to 1.
   */
  rebuild(
    names: readonly ProjectionName[],
    signal: AbortSignal,
    onProgress?: (fraction: number) => void,
  ): Promise<readonly RebuildResult[]>;
  /** Builds all rows beside the serving ones, up to the same place of the log, and compares them. Nothing is replaced. */
  compare(signal: AbortSignal): Promise<RowComparison>;
}

/** A row that is not as the events make it. */
export type RowDifference = {
  readonly table: string;
  /** The columns of its key and their values. */
  readonly key: Readonly<Record<string, Json>>;
  readonly change: 'changed' | 'added' | 'removed';
  /** Names of the columns that differ, for a changed row. */
  readonly columns: readonly string[];
};
export type RowComparison = {
  readonly tables: number;
  readonly rows: number;
  /** At most 100 of each table. */
  readonly differences: readonly RowDifference[];
  /** Streams whose rows are stopped, and may lack events. */
  readonly stoppedStreams: number;
};
