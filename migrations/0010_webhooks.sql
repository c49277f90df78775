-- Where events are sent, and how far that has come. It is written by one process at a time, along the log.

-- A webhook as the log left it where the checkpoint stands.
create table webhook (
  webhook text primary key,
  tenant text not null,
  url text not null,
  content text not null,
  -- Empty for all of them.
  types text[] not null,
  sessions text[] not null
);

-- One row for each event and webhook that it is sent to; never content: that is read from the log when it is sent.
create table webhook_delivery (
  webhook text not null references webhook on delete cascade,
  -- Of the event, in the log.
  position bigint not null,
  tenant text not null,
  session text not null,
  revision bigint not null,
  type text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
  attempts bigint not null default 0,
  next_at timestamptz not null,
  -- Of the newest try: a status, or a word of ours.
  last_outcome text,
  last_tried_at timestamptz,
  primary key (webhook, position)
);
-- The first that waits of each session.
create index on webhook_delivery (webhook, session, position) where state = 'pending';
create index on webhook_delivery (webhook, state, position);
-- What was delivered is cleared away by its age.
create index on webhook_delivery (last_tried_at) where state = 'delivered';

-- How far the log has been read for it: one row.
create table webhook_checkpoint (
  is_only boolean primary key default true check (is_only),
  position bigint
);
insert into webhook_checkpoint default values;

-- What deliveries are signed with. It is in no event: those are for ever, and read by many.
create table webhook_secret (
  webhook text not null,
  number bigint generated always as identity,
  tenant text not null,
  secret text not null,
  -- It counts until then; null for the newest.
  valid_until timestamptz,
  primary key (webhook, number)
);
