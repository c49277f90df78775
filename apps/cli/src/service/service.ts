import type {
  AuditRead,
  Caller,
  DeliveryView,
  EditsReported,
  EventLine,
  ExportedMessage,
  ImportResult,
  OutcomeView,
  PlanView,
  ProofOptions,
  ResetOutcome,
  SessionRef,
} from '@app/application';
import type { ProfileSource } from '@app/domain';
import type { AsOf, CompactionId, Json, Revision, TenantId, WebhookId } from '@app/kernel';
import type {
  AuditReadRecord,
  AuditReadsQuery,
  AuditRow,
  AuditTotals,
  AuditTotalsQuery,
  DeliveryState,
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
  /** Progress on stderr, although it is no terminal. */
  readonly progress?: boolean;
};
/** What the list of sessions is narrowed and sorted by. */
export type SessionSearch = Omit<SessionQuery, 'tenant' | 'after' | 'limit'>;
type ReadsFilter = Pick<AuditReadsQuery, 'kind' | 'session' | 'actor'>;
/** What the session is told when it is cleared; the rest of the event is no news to whoever asked. */
export type Cleared = Pick<
  ResetOutcome,
  'compactionId' | 'clearedMessages' | 'countedBefore' | 'countedAfter' | 'billedBefore' | 'billedAfter'
>;
/**
 * What commands on sessions need, wherever it is done: on the parts of this machine, or by a service over HTTP.
 * Results and errors are the same in both.
 */
export interface Service {
  readonly commands: { execute<Result>(command: Command<Result>): Promise<Result> };
  readonly queries: { execute<Result>(query: Query<Result>): Promise<Result> };
  /** What a compaction would do now. */
  plan(ref: SessionRef, profile?: ProfileSource): Promise<PlanView>;
  /** Waits for the end of a compaction. */
  outcome(ref: SessionRef, compactionId: CompactionId): Promise<OutcomeView>;
  /** `undefined` where there was nothing to clear. */
  reset(
    ref: SessionRef,
    request: { readonly confirm: boolean; readonly reason: string },
    caller: Caller,
  ): Promise<Cleared | undefined>;
  /** @param answer of Anthropic's messages, or its `applied_edits`. */
  reportEdits(ref: SessionRef, answer: Json, caller: Caller): Promise<EditsReported>;
  /** All of them, or the one that is named. */
  messages(ref: SessionRef, only?: string, asOf?: AsOf): AsyncIterable<ExportedMessage>;
  /** The proof bundle of a session, in parts of any size. */
  proof(ref: SessionRef, options: ProofOptions): AsyncIterable<string>;
  events(ref: SessionRef, from?: Revision): AsyncIterable<EventLine>;
  /** All that pass the filters, newest activity first unless sorted. */
  sessions(tenant: TenantId, filter: SessionSearch): AsyncIterable<SessionSummary>;
  /** Sessions with legal holds, newest activity first. */
  held(tenant: TenantId, filter: Pick<HeldSessionQuery, 'matter'>): AsyncIterable<HeldSession>;
  /** All of them, in the order of their ids: for the operator alone. */
  tenants(): AsyncIterable<ListedTenant>;
  /** Who has read what, newest first. */
  reads(tenant: TenantId, filter: ReadsFilter): AsyncIterable<AuditReadRecord>;
  /** The rows that are wanted, in batches of whatever size. */
  audit(read: AuditRead): AsyncIterable<readonly AuditRow[]>;
  auditTotals(query: AuditTotalsQuery): Promise<AuditTotals>;
  /** Sums of what was billed and saved; `all` tenants are for the operator's key, or on this machine. */
  usage(query: UsageQuery): Promise<UsageTotals>;
  /** Deliveries of a webhook, newest first; `limit` is the size of a page, at most 1,000. */
  deliveries(
    tenant: TenantId,
    webhook: WebhookId,
    filter: { readonly state?: DeliveryState; readonly limit: number },
  ): AsyncIterable<DeliveryView>;
  /** @throws {AppError} `invalid-id`, `webhook-not-found`, `delivery-not-found`, `delivery-not-dead`. */
  replayDelivery(tenant: TenantId, webhook: WebhookId, delivery: string): Promise<DeliveryView>;
  /** @throws {AppError} `invalid-id`, `webhook-not-found`, `delivery-not-found`, `delivery-not-pending`. */
  skipDelivery(
    tenant: TenantId,
    webhook: WebhookId,
    skip: { readonly delivery: string; readonly reason: string },
  ): Promise<DeliveryView>;
  /** @throws {AppError} `unreadable-file`, `unknown-format`, `nothing-to-import`, and what the commands refuse. */
  importSource(source: Source, options: ImportSourceOptions): Promise<ImportResult>;
}
