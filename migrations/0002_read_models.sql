-- What the projector makes of the log: nothing here is a truth of its own, and all of it can be built again.
--
-- A rebuild creates each table a second time with `like … including all`, in the schema read_rebuild, and moves it here.
-- So indexes are left to the names that PostgreSQL gives them, which are then the same; and a table gets no foreign
-- keys, which `like` would leave out. Tenants come first in every key: a tenant's rows stand together.
create schema read;

-- Where each projection stands. It is moved in the transaction of the rows.
create table read.projection_checkpoint (
  projection text primary key,
  -- Everything at or before this place in the log is in the rows; null before the first.
  position bigint,
  -- How many events that were.
  events bigint not null default 0,
  updated_at timestamptz
);
insert into read.projection_checkpoint (projection)
values ('sessions'), ('compactions'), ('compaction_turns'), ('audit_events');

-- A session as its newest event left it.
create table read.sessions (
  tenant text not null,
  session text not null,
  parent text,
  profile text not null,
  model text not null,
  -- Tokens; 0 is unlimited.
  window_tokens bigint not null,
  -- Shares of the window at which the states begin.
  warn_at double precision not null,
  require_at double precision not null,
  block_at double precision not null,
  -- Tokens of the next request …
  occupancy bigint not null,
  -- … and whether they rest on what a provider billed.
  occupancy_reported boolean not null,
  state text not null,
  -- The newest completed compaction.
  pivot text,
  turns bigint not null,
  messages bigint not null,
  compactions bigint not null,
  revision bigint not null,
  -- Of the newest event, in the log.
  position bigint not null,
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  -- For counting on: tokens of all messages ever appended; how many messages stand before the context's first one, and
  -- their tokens; the message that stays although it stands before.
  appended_tokens bigint not null,
  before_messages bigint not null,
  before_tokens bigint not null,
  -- How many messages there were when the compaction in force was recorded, and when the newest bill was made: a bill
  -- for an older answer says nothing about the next request.
  pivot_messages bigint not null,
  billed_messages bigint not null,
  carried text,
  primary key (tenant, session)
);
create index on read.sessions (tenant, position);

-- The messages of a session's context: what came after the answer that a provider billed is found here.
create table read.session_messages (
  tenant text not null,
  session text not null,
  message text not null,
  -- How many messages were appended before it.
  ordinal bigint not null,
  tokens bigint not null,
  -- Tokens of all messages up to this one, itself included.
  up_to bigint not null,
  primary key (tenant, session, message)
);

-- A compaction from its request to its end.
create table read.compactions (
  tenant text not null,
  session text not null,
  compaction text not null,
  trigger text not null,
  turn bigint not null,
  profile text not null,
  -- Who asked.
  actor text not null,
  occupancy bigint not null,
  -- Of the newest attempt; null before the first.
  worker text,
  summarizer text,
  summarizer_model text,
  prompt_version text,
  deterministic boolean,
  attempts bigint not null,
  -- completed, failed or skipped; null while it is open.
  outcome text,
  -- The rule that it was skipped by, or the error that it, or its newest attempt, failed with.
  reason text,
  tokens_before bigint,
  tokens_after bigint,
  target bigint,
  covered_messages bigint,
  duration_ms double precision,
  -- What providers billed for all attempts, the superfluous ones included.
  input_tokens bigint not null,
  cache_read_tokens bigint not null,
  cache_write_tokens bigint not null,
  output_tokens bigint not null,
  -- Results that came when it was too late.
  double_runs bigint not null,
  requested_position bigint not null,
  requested_revision bigint not null,
  started_position bigint,
  started_revision bigint,
  ended_position bigint,
  ended_revision bigint,
  applied_position bigint,
  requested_at timestamptz not null,
  ended_at timestamptz,
  -- Of the newest event in it.
  revision bigint not null,
  primary key (tenant, session, compaction)
);
create index on read.compactions (requested_position) where outcome is null;

-- What a completed compaction did with each turn.
create table read.compaction_turns (
  tenant text not null,
  session text not null,
  compaction text not null,
  turn bigint not null,
  from_message text not null,
  to_message text not null,
  messages bigint not null,
  tokens bigint not null,
  rule text not null,
  tool_outputs text not null,
  reasoning text not null,
  -- Of the compaction's completion, in the log.
  position bigint not null,
  primary key (tenant, session, compaction, turn)
);

-- Every event, without content.
create table read.audit_events (
  position bigint primary key,
  tenant text not null,
  session text not null,
  revision bigint not null,
  type text not null,
  recorded_at timestamptz not null,
  actor text not null,
  correlation text not null,
  causation text,
  compaction text,
  payload jsonb not null
);
create index on read.audit_events (tenant, position);
create index on read.audit_events (tenant, session, position);
create index on read.audit_events (tenant, type, position);
create index on read.audit_events (tenant, recorded_at);
