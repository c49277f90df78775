-- What an audit is searched by, and what each day has cost and saved.

-- Of the compaction that an event belongs to: what brought it about, and how the event ended or undid it. Profile and
-- model as they are for the session from this event on; where the event, or its compaction, has one of its own, that one.
alter table read.audit_events
  add column trigger text,
  add column outcome text,
  add column profile text,
  add column model text;
-- No index without a tenant at its head: the planner could take it for a short way through everybody's rows.
alter table read.audit_events drop constraint audit_events_pkey, add primary key (tenant, position);
drop index read.audit_events_tenant_position_idx;
-- Every filter has an index that begins with the tenant and goes on in the order of the log, so that a page is the
-- beginning of a range. Most events belong to no compaction: they are left out where the filter never asks for them.
create index on read.audit_events (tenant, trigger, position) where trigger is not null;
create index on read.audit_events (tenant, outcome, position) where outcome is not null;
create index on read.audit_events (tenant, profile, position);
create index on read.audit_events (tenant, model, position);
create index on read.audit_events (tenant, actor, position);
create index on read.audit_events (tenant, correlation, position);
create index on read.audit_events (tenant, compaction, position) where compaction is not null;
-- The order of times, and among equals that of the log.
drop index read.audit_events_tenant_recorded_at_idx;
create index on read.audit_events (tenant, recorded_at, position);

-- Where in the log a tenant's events of an hour stand. Times come from many clocks, so that their order is not that of the
-- log; but whoever asks for a range of time has to look nowhere else than between these positions.
create table read.audit_hours (
  tenant text not null,
  hour timestamptz not null,
  first_position bigint not null,
  last_position bigint not null,
  primary key (tenant, hour)
);
insert into read.audit_hours (tenant, hour, first_position, last_position)
  select tenant, date_trunc('hour', recorded_at, 'UTC'), min(position), max(position)
  from read.audit_events group by 1, 2;

-- What the rows of later events need of earlier ones. Each projection that does has its own, so that it can be built
-- anew by itself.
create table read.audit_sessions (
  tenant text not null,
  session text not null,
  profile text,
  model text,
  primary key (tenant, session)
);
create table read.audit_compactions (
  tenant text not null,
  session text not null,
  compaction text not null,
  trigger text,
  profile text,
  -- The model of its newest attempt, where the summarizer is one.
  summarizer_model text,
  primary key (tenant, session, compaction)
);
create table read.usage_sessions (
  tenant text not null,
  session text not null,
  profile text,
  model text,
  primary key (tenant, session)
);
create table read.usage_compactions (
  tenant text not null,
  session text not null,
  compaction text not null,
  trigger text,
  profile text,
  summarizer_model text,
  primary key (tenant, session, compaction)
);

-- Tokens and compactions of a day in UTC. Billed tokens stand under the model that was billed; what compactions saved, and
-- how they ended, under the model of the session. Both are empty where the beginning of a session is missing from the log.
create table read.usage_by_day (
  tenant text not null,
  day date not null,
  model text not null,
  profile text not null,
  -- Answers of models that agents reported, and what was billed for them.
  calls bigint not null,
  input_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_tokens bigint not null,
  output_tokens bigint not null,
  -- What was billed for compactions, failed and superfluous attempts included.
  compaction_input_tokens bigint not null,
  compaction_cache_read_tokens bigint not null,
  compaction_cache_write_tokens bigint not null,
  compaction_output_tokens bigint not null,
  -- Occupancy before minus occupancy after, of completed compactions.
  saved_tokens bigint not null,
  completed bigint not null,
  failed bigint not null,
  skipped bigint not null,
  cancelled bigint not null,
  reverted bigint not null,
  primary key (tenant, day, model, profile)
);
insert into read.projection_checkpoint (projection) values ('usage_by_day');

-- Rows that are there already get their new columns from the log: the projector reads it once more from its beginning and
-- writes each row in the place of the old one, which serves meanwhile.
update read.projection_checkpoint set position = null, events = 0 where projection = 'audit_events';

create index on read.compactions (tenant, requested_position);
create index on read.compactions (tenant, trigger, requested_position);
create index on read.compactions (tenant, outcome, requested_position);
create index on read.compactions (tenant, profile, requested_position);
create index on read.compactions (tenant, summarizer_model, requested_position);
create index on read.compactions (tenant, actor, requested_position);
create index on read.compactions (tenant, requested_at, requested_position);
