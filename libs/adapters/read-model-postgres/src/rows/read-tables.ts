import { type DriverRowOf, type RowOf, table } from './kinds.js';

/** Columns are documented in `migrations/0002_read_models.sql` and later migrations. */
export const sessions = table('sessions', ['tenant', 'session'], {
  tenant: 'text',
  session: 'text',
  parent: 'text?',
  title: 'text?',
  agent: 'text?',
  project: 'text?',
  labels: 'json',
  profile: 'text',
  model: 'text',
  window_tokens: 'count',
  warn_at: 'real',
  require_at: 'real',
  block_at: 'real',
  occupancy: 'count',
  state: 'budget-state',
  pivot: 'text?',
  turns: 'count',
  messages: 'count',
  compactions: 'count',
  revision: 'count',
  position: 'position',
  opened_at: 'time',
  updated_at: 'time',
  idle_after_minutes: 'count',
  idle_at: 'real',
  closed: 'flag',
  retention_mode: 'retention-mode?',
  retain_until: 'time?',
  retention_days: 'count?',
  legal_holds: 'json',
  active_at: 'time',
});
export type SessionRow = RowOf<typeof sessions.columns>;

export const compactions = table('compactions', ['tenant', 'session', 'compaction'], {
  tenant: 'text',
  session: 'text',
  compaction: 'text',
  trigger: 'trigger',
  turn: 'count',
  profile: 'text',
  actor: 'text',
  occupancy: 'count',
  worker: 'text?',
  summarizer: 'text?',
  summarizer_model: 'text?',
  prompt_version: 'text?',
  deterministic: 'flag?',
  attempts: 'count',
  outcome: 'outcome?',
  reason: 'text?',
  counted_before: 'count?',
  counted_after: 'count?',
  billed_before: 'count?',
  billed_after: 'count?',
  target: 'count?',
  covered_messages: 'count?',
  fidelity: 'real?',
  duration_ms: 'real?',
  input_tokens: 'count',
  cache_read_tokens: 'count',
  cache_write_tokens: 'count',
  output_tokens: 'count',
  cost_nano_usd: 'count',
  unpriced_tokens: 'count',
  double_runs: 'count',
  requested_position: 'position',
  requested_revision: 'count',
  started_position: 'position?',
  started_revision: 'count?',
  ended_position: 'position?',
  ended_revision: 'count?',
  applied_position: 'position?',
  requested_at: 'time',
  ended_at: 'time?',
  revision: 'count',
});
export type CompactionRow = RowOf<typeof compactions.columns>;

export const compactionTurns = table('compaction_turns', ['tenant', 'session', 'compaction', 'turn'], {
  tenant: 'text',
  session: 'text',
  compaction: 'text',
  turn: 'count',
  from_message: 'text',
  to_message: 'text',
  messages: 'count',
  tokens: 'count',
  rule: 'text',
  tool_outputs: 'text',
  reasoning: 'text',
  position: 'position',
});
export type CompactionTurnRow = RowOf<typeof compactionTurns.columns>;

export const auditEvents = table('audit_events', ['tenant', 'position'], {
  position: 'position',
  tenant: 'text',
  session: 'text?',
  revision: 'count',
  type: 'event-type',
  recorded_at: 'time',
  actor: 'text',
  correlation: 'text',
  causation: 'text?',
  compaction: 'text?',
  trigger: 'trigger?',
  outcome: 'outcome?',
  profile: 'text?',
  model: 'text?',
  occupancy: 'count?',
  payload: 'json',
});
export type AuditEventRow = RowOf<typeof auditEvents.columns>;

export const auditHours = table('audit_hours', ['tenant', 'hour'], {
  tenant: 'text',
  hour: 'time',
  first_position: 'position',
  last_position: 'position',
});
export type AuditHourRow = RowOf<typeof auditHours.columns>;

type CheckpointTable = {
  projection: string;
  position: bigint | null;
  events: bigint;
  updated_at: Date | null;
};

/** Columns are documented in `migrations/0025_stopped_streams.sql`. */
export type StoppedStreamTable = {
  projection: string;
  stream: string;
  revision: bigint;
  position: bigint;
  type: string;
  stopped_at: Date;
  error: string;
  retry_requested: boolean;
};

/** The schema `read`, or its rebuild. */
export type ReadTables = {
  projection_checkpoint: CheckpointTable;
  stopped_stream: StoppedStreamTable;
  sessions: DriverRowOf<typeof sessions.columns>;
  compactions: DriverRowOf<typeof compactions.columns>;
  compaction_turns: DriverRowOf<typeof compactionTurns.columns>;
  audit_events: DriverRowOf<typeof auditEvents.columns>;
  audit_hours: DriverRowOf<typeof auditHours.columns>;
  usage_by_day: DriverRowOf<typeof usageByDay.columns>;
  usage_by_session: DriverRowOf<typeof usageBySession.columns>;
  tenants: DriverRowOf<typeof tenants.columns>;
  api_keys: DriverRowOf<typeof apiKeys.columns>;
  audit_reads: DriverRowOf<typeof auditReads.columns>;
};

/** The sums of each row. Columns are documented in the migrations of `read.usage_by_day`. */
const AMOUNTS = {
  calls: 'sum',
  input_tokens: 'sum',
  cache_read_tokens: 'sum',
  cache_write_tokens: 'sum',
  output_tokens: 'sum',
  compaction_input_tokens: 'sum',
  compaction_cache_read_tokens: 'sum',
  compaction_cache_write_tokens: 'sum',
  compaction_output_tokens: 'sum',
  cost_nano_usd: 'sum',
  unpriced_tokens: 'sum',
  compaction_cost_nano_usd: 'sum',
  compaction_unpriced_tokens: 'sum',
  requests: 'sum',
  smaller_requests: 'sum',
  counted_saved_tokens: 'sum',
  double_runs: 'sum',
  double_run_cost_nano_usd: 'sum',
  double_run_unpriced_tokens: 'sum',
  completed: 'sum',
  failed: 'sum',
  skipped: 'sum',
  cancelled: 'sum',
  reverted: 'sum',
} as const;
const KEY = { tenant: 'text', day: 'day', source: 'usage-source', model: 'text', profile: 'text' } as const;

/** All that a row adds up: whole numbers of any length. */
export type Amounts = RowOf<typeof AMOUNTS>;
/** Exactly the names of {@link Amounts}. */
export const AMOUNT_NAMES = Object.keys(AMOUNTS) as readonly (keyof Amounts)[];

/** `read.usage_by_day`. */
export const usageByDay = table('usage_by_day', ['tenant', 'day', 'source', 'model', 'profile'], {
  ...KEY,
  ...AMOUNTS,
});
export type UsageByDayRow = RowOf<typeof usageByDay.columns>;
/** `read.usage_by_session`: the same for each session. */
export const usageBySession = table(
  'usage_by_session',
  ['tenant', 'session', 'day', 'source', 'model', 'profile'],
  { ...KEY, session: 'text', ...AMOUNTS },
);
export type UsageBySessionRow = RowOf<typeof usageBySession.columns>;

/** `read.tenants`, `read.api_keys`, `read.audit_reads`: columns are documented in their migration. */
export const tenants = table('tenants', ['tenant'], {
  tenant: 'text',
  name: 'text',
  requests_per_second: 'count',
  requests_per_minute: 'count',
  tokens_per_minute: 'count',
  concurrent_compactions: 'count',
  registered_at: 'time?',
  registered_by: 'text?',
  position: 'position',
  updated_at: 'time',
});
export type TenantRow = RowOf<typeof tenants.columns>;

export const apiKeys = table('api_keys', ['key'], {
  key: 'text',
  tenant: 'text',
  role: 'key-role',
  permissions: 'text',
  hash: 'text',
  prefix: 'text',
  label: 'text',
  issued_at: 'time',
  expires_at: 'time?',
  replaced_by: 'text?',
  revoked: 'flag',
  position: 'position',
});
export type ApiKeyRow = RowOf<typeof apiKeys.columns>;

export const auditReads = table('audit_reads', ['position'], {
  position: 'position',
  tenant: 'text',
  recorded_at: 'time',
  actor: 'text',
  kind: 'read-kind',
  endpoint: 'text',
  session: 'text?',
  first_revision: 'count?',
  last_revision: 'count?',
  filters: 'json',
  rows: 'count?',
  reason: 'text?',
});
export type AuditReadRow = RowOf<typeof auditReads.columns>;
