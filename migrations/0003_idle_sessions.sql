-- When a session is idle, so that those that are can be found. What was recorded before profiles said so never is.
alter table read.sessions
  add column idle_after_minutes bigint not null default 0,
  add column idle_at double precision not null default 0.5,
  add column closed boolean not null default false;
update read.sessions as s set closed = true
  where exists (
    select from read.audit_events as e
    where e.tenant = s.tenant and e.session = s.session and e.type = 'SessionClosed'
  );
alter table read.sessions
  alter column idle_after_minutes drop default,
  alter column idle_at drop default,
  alter column closed drop default;
create index on read.sessions (updated_at) where idle_after_minutes > 0;

-- Nothing has ever read it.
alter table read.sessions drop column before_tokens;
