-- What people find a session by: metadata that callers give, never content of messages.
alter table read.sessions
  add column title text,
  -- The program that carries on the session.
  add column agent text,
  add column project text,
  add column labels jsonb not null default '{}';
alter table read.sessions alter column labels drop default;

-- The list in each of its orders; that of the newest activity has its index since the beginning.
create index on read.sessions (tenant, occupancy, session);
create index on read.sessions (tenant, opened_at, session);
-- What the list is narrowed by, newest activity first. Labels and words of titles are looked for along one of the orders.
create index on read.sessions (tenant, agent, position);
create index on read.sessions (tenant, project, position);
create index on read.sessions (tenant, state, position);

-- The projector reads the log once more from its beginning, for sessions that were opened before.
update read.projection_checkpoint set position = null, events = 0 where projection = 'sessions';
delete from read.sessions;
