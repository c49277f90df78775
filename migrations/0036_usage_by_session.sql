-- Usage of each session, so that it can be summed by the sessions' current agent, project and labels.
create table read.usage_by_session (
  tenant text not null,
  session text not null,
  -- As in read.usage_by_day, whose rows are the sums of these.
  day date not null,
  source text not null,
  model text not null,
  profile text not null,
  calls numeric not null,
  input_tokens numeric not null,
  cache_read_tokens numeric not null,
  cache_write_tokens numeric not null,
  output_tokens numeric not null,
  compaction_input_tokens numeric not null,
  compaction_cache_read_tokens numeric not null,
  compaction_cache_write_tokens numeric not null,
  compaction_output_tokens numeric not null,
  cost_nano_usd numeric not null,
  unpriced_tokens numeric not null,
  compaction_cost_nano_usd numeric not null,
  compaction_unpriced_tokens numeric not null,
  requests numeric not null,
  smaller_requests numeric not null,
  counted_saved_tokens numeric not null,
  double_runs numeric not null,
  double_run_cost_nano_usd numeric not null,
  double_run_unpriced_tokens numeric not null,
  completed numeric not null,
  failed numeric not null,
  skipped numeric not null,
  cancelled numeric not null,
  reverted numeric not null,
  primary key (tenant, session, day, source, model, profile)
);
create index on read.usage_by_session (tenant, day);

alter table read.usage_by_session enable row level security;
create policy of_tenant on read.usage_by_session for select to palimpsest_reader
  using (tenant = current_setting('palimpsest.tenant', true));
grant select on read.usage_by_session to palimpsest_reader;

-- The projector reads the log once more from its beginning, for usage that was recorded before.
truncate read.usage_by_day, read.usage_sessions, read.usage_compactions;
update read.projection_checkpoint set position = null, events = 0 where projection = 'usage_by_day';
