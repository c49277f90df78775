-- Decisions about a tenant itself are audit rows, beside those of its sessions: these have no session.
alter table read.audit_events alter column session drop not null;

-- What a key may do apart from its role's work, in the words of the log, with blanks between them.
alter table read.api_keys add column permissions text not null default '';
update read.api_keys set permissions = 'content:read' where role in ('agent', 'admin');
alter table read.api_keys alter column permissions drop default;

-- When a tenant was registered and by which actor; null for the operator's, which is there from the beginning.
alter table read.tenants add column registered_at timestamptz, add column registered_by text;

-- A read of facts ("audit") or of text ("content"): whose, which revisions of it, and why.
alter table read.audit_reads
  add column kind text not null default 'audit',
  add column session text,
  add column first_revision bigint,
  add column last_revision bigint,
  add column reason text,
  alter column rows drop not null;
alter table read.audit_reads alter column kind drop default;
create index on read.audit_reads (tenant, session, position) where session is not null;
create index on read.audit_reads (tenant, kind, position);
create index on read.audit_reads (tenant, actor, position);

-- The projector reads the log once more from its beginning, for rows and columns that were missing.
update read.projection_checkpoint set position = null, events = 0
  where projection in ('audit_events', 'tenants');
-- Hours are found anew with them: decisions about a tenant may stand before the first event of its sessions.
delete from read.audit_hours;
