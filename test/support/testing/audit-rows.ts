/** A range of audit rows that PostgreSQL generates deterministically. */
export type AuditRowsRange = {
  /** The number of existing rows. */
  readonly after: number;
  readonly upTo: number;
};

/** The tenant with half of all sessions; twenty others share the rest. */
export const LARGE_TENANT = 'large';
export const SMALL_TENANT = 'small_7';

const SESSION_ROWS = 200;

/**
 * Returns SQL that fills `read.audit_events`: sessions of 200 events, recorded twenty at a time by clocks that differ
 * by up to a minute; five of a hundred events belong to a compaction.
 */
export const auditRows = ({ after, upTo }: AuditRowsRange): string => `
  insert into read.audit_events (position, tenant, session, revision, type, recorded_at, actor, correlation, causation,
    compaction, trigger, outcome, profile, model, payload)
  select position, tenant, session, revision, type, recorded_at, actor, session || '/turn-' || revision / 8, null,
    compaction, trigger, outcome, profile, model, payload
  from (
    select
      1000000000 + n * 131 as position,
      case when s % 2 = 0 then '${LARGE_TENANT}' else 'small_' || s / 2 % 20 end as tenant,
      'session-' || s as session,
      n / 20 % ${SESSION_ROWS} as revision,
      case
        when c is null then (array['MessageAppended', 'MessageAppended', 'MessageAppended', 'UsageReported',
          'TurnCompleted', 'RequestComposed'])[1 + n % 6]
        else (array['CompactionRequested', 'CompactionStarted', 'CompactionAttemptFailed', 'CompactionApplied',
          'CompactionCompleted'])[1 + n / 20 % 100]
      end as type,
      timestamptz '2026-01-01' + (n * 0.37 + (n * 7919) % 60) * interval '1 second' as recorded_at,
      case when c is null then 'key:' || s % 50 else 'worker:' || s % 3 end as actor,
      c as compaction,
      case when c is not null then (array['threshold', 'threshold', 'threshold', 'explicit', 'idle'])[1 + s % 5] end
        as trigger,
      case when c is not null and n / 20 % 100 = 4 then case when s % 10 = 0 then 'failed' else 'completed' end end
        as outcome,
      case when s % 4 = 0 then 'profile-' || s % 12 else 'core' end as profile,
      'model-' || s % 7 as model,
      jsonb_build_object('messageId', 'm-' || n, 'tokens', n % 900, 'sha256', md5(n::text) || md5(s::text)) as payload
    from (
      select n, s, case when n / 20 % 100 < 5 then 'compaction-' || s || '-' || n / 2000 end as c
      from (
        select n, n / ${20 * SESSION_ROWS} * 20 + n % 20 as s from generate_series(${after + 1}::bigint, ${upTo}) as n
      ) as numbered
    ) as sessions
  ) as made`;

/** SQL that fills `read.audit_hours` from the audit rows. */
export const auditHours = `
  insert into read.audit_hours (tenant, hour, first_position, last_position)
  select tenant, date_trunc('hour', recorded_at, 'UTC') as hour,
    min(min(position)) over (partition by tenant order by date_trunc('hour', recorded_at, 'UTC') desc),
    max(max(position)) over (partition by tenant order by date_trunc('hour', recorded_at, 'UTC'))
  from read.audit_events group by 1, 2`;

/** SQL that fills `read.compactions` from the audit rows. */
export const compactionRows = `
  insert into read.compactions (tenant, session, compaction, trigger, turn, profile, actor, occupancy, summarizer,
    summarizer_model, attempts, outcome, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, double_runs,
    requested_position, requested_revision, requested_at, revision)
  select tenant, session, compaction, min(trigger), 1, min(profile), min(actor), 900, 'prompted', min(model), 1,
    max(outcome), 10, 0, 0, 2, 0, min(position), 1, min(recorded_at), 5
  from read.audit_events where compaction is not null group by tenant, session, compaction`;
