import type { AuditRead, EventLine, OutcomeView, ProofOptions, SessionRef } from '@app/application';
import type { DeliveryState, DeliveryView, ExportedMessage, ImportResult } from '@app/contract';
import type { ProfileSource } from '@app/domain';
import type { AsOf, CompactionId, Revision, TenantId, WebhookId } from '@app/kernel';
import type {
  AuditReadRecord,
  AuditReadsQuery,
  AuditRow,
  AuditTotals,
  AuditTotalsQuery,
  HeldSession,
  HeldSessionQuery,
  ListedTenant,
  SessionQuery,
  SessionSummary,
  UsageQuery,
  UsageTotals,
} from '@app/ports';
import type { Command, Query } from '@nestjs/cqrs';
import type { Source } from '../imports/source.js';

export type ImportSourceOptions = {
  readonly tenant: TenantId;
  readonly profile: ProfileSource;
  readonly window?: number;
  readonly model?: string;
  readonly agent?: string;
  readonly project?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly subjects?: readonly string[];
  /** Writes progress to stderr even without a terminal. */
  readonly progress?: boolean;
};
/** Filters and order of the list of sessions. */
export type SessionSearch = Omit<SessionQuery, 'tenant' | 'after' | 'limit'>;
type ReadsFilter = Pick<AuditReadsQuery, 'kind' | 'session' | 'actor'>;
/**
 * Operations that commands need, on the local engine or on a service over HTTP. Results and errors are the same for
 * both.
 */
export interface Service {
  readonly commands: { execute<Result>(command: Command<Result>): Promise<Result> };
  readonly queries: { execute<Result>(query: Query<Result>): Promise<Result> };
  /** Waits for the end of a compaction. */
  outcome(ref: SessionRef, compactionId: CompactionId): Promise<OutcomeView>;
  /** Yields all messages, or only the named one. */
  messages(ref: SessionRef, only?: string, asOf?: AsOf): AsyncIterable<ExportedMessage>;
  /** Yields the proof bundle of a session in chunks of any size. */
  proof(ref: SessionRef, options: ProofOptions): AsyncIterable<string>;
  events(ref: SessionRef, from?: Revision): AsyncIterable<EventLine>;
  /** Yields the sessions that match all filters, newest activity first by default. */
  sessions(tenant: TenantId, filter: SessionSearch): AsyncIterable<SessionSummary>;
  /** Yields sessions with legal holds, newest activity first. */
  held(tenant: TenantId, filter: Pick<HeldSessionQuery, 'matter'>): AsyncIterable<HeldSession>;
  /** Yields all tenants in the order of their IDs; requires an operator. */
  tenants(): AsyncIterable<ListedTenant>;
  /** Yields recorded reads, newest first. */
  reads(tenant: TenantId, filter: ReadsFilter): AsyncIterable<AuditReadRecord>;
  /** Yields the matching audit rows in batches of any size. */
  audit(read: AuditRead): AsyncIterable<readonly AuditRow[]>;
  /** Counts matching audit rows by group. */
  auditTotals(query: AuditTotalsQuery): Promise<AuditTotals>;
  /** Sums billed and saved tokens and costs; `all` tenants require an operator's key or the local engine. */
  usage(query: UsageQuery): Promise<UsageTotals>;
  /** Returns deliveries of a webhook, newest first, at most `limit` (up to 1,000). */
  deliveries(
    tenant: TenantId,
    webhook: WebhookId,
    filter: { readonly state?: DeliveryState; readonly limit: number },
  ): AsyncIterable<DeliveryView>;
  /** @throws {AppError} `unreadable-file`, `unknown-format`, `nothing-to-import`, and the errors of the commands. */
  importSource(source: Source, options: ImportSourceOptions): Promise<ImportResult>;
}
