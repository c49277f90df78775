-- How long the content of a session is kept, and for which matters it is held. Decisions are made on the session's stream;
-- these columns are for lists and for finding the periods whose date has come.
alter table read.sessions
  -- `governance` or `compliance`; null without a period.
  add column retention_mode text,
  add column retain_until timestamptz,
  -- With it the date moves with the newest event.
  add column retention_days bigint,
  -- By matter: reason, actor, time.
  add column legal_holds jsonb not null default '{}',
  -- When its newest event was recorded that is no change of retention or holds.
  add column active_at timestamptz;
update read.sessions set active_at = updated_at;
alter table read.sessions alter column legal_holds drop default, alter column active_at set not null;

create index sessions_retained on read.sessions (retain_until) where retain_until is not null;
create index sessions_held on read.sessions (tenant, position) where legal_holds <> '{}';
