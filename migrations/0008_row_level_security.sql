-- Whoever reads for a tenant does so as palimpsest_reader, which is not the owner of the tables and so sees the rows of
-- the tenant that palimpsest.tenant names, and none where it names nobody. The role is there before the migrations are,
-- since not every owner of a database may create it. Every later table of this schema with a tenant gets the same.
grant usage on schema read to palimpsest_reader;

alter table read.sessions enable row level security;
alter table read.session_messages enable row level security;
alter table read.compactions enable row level security;
alter table read.compaction_turns enable row level security;
alter table read.audit_events enable row level security;
alter table read.audit_hours enable row level security;
alter table read.audit_sessions enable row level security;
alter table read.audit_compactions enable row level security;
alter table read.usage_by_day enable row level security;
alter table read.usage_sessions enable row level security;
alter table read.usage_compactions enable row level security;
alter table read.tenants enable row level security;
alter table read.api_keys enable row level security;
alter table read.audit_reads enable row level security;

create policy of_tenant on read.sessions for select to palimpsest_reader
  using (tenant = current_setting('palimpsest.tenant', true));
create policy of_tenant on read.session_messages for select to palimpsest_reader
  using (tenant = current_setting('palimpsest.tenant', true));
create policy of_tenant on read.compactions for select to palimpsest_reader
  using (tenant = current_setting('palimpsest.tenant', true));
create policy of_tenant on read.compaction_turns for select to palimpsest_reader
  using (tenant = current_setting('palimpsest.tenant', true));
create policy of_tenant on read.audit_events for select to palimpsest_reader
  using (tenant = current_setting('palimpsest.tenant', true));
create policy of_tenant on read.audit_hours for select to palimpsest_reader
  using (tenant = current_setting('palimpsest.tenant', true));
create policy of_tenant on read.audit_sessions for select to palimpsest_reader
  using (tenant = current_setting('palimpsest.tenant', true));
create policy of_tenant on read.audit_compactions for select to palimpsest_reader
  using (tenant = current_setting('palimpsest.tenant', true));
create policy of_tenant on read.usage_by_day for select to palimpsest_reader
  using (tenant = current_setting('palimpsest.tenant', true));
create policy of_tenant on read.usage_sessions for select to palimpsest_reader
  using (tenant = current_setting('palimpsest.tenant', true));
create policy of_tenant on read.usage_compactions for select to palimpsest_reader
  using (tenant = current_setting('palimpsest.tenant', true));
create policy of_tenant on read.tenants for select to palimpsest_reader
  using (tenant = current_setting('palimpsest.tenant', true));
create policy of_tenant on read.api_keys for select to palimpsest_reader
  using (tenant = current_setting('palimpsest.tenant', true));
create policy of_tenant on read.audit_reads for select to palimpsest_reader
  using (tenant = current_setting('palimpsest.tenant', true));

grant select on
  read.sessions, read.session_messages, read.compactions, read.compaction_turns,
  read.audit_events, read.audit_hours, read.audit_sessions, read.audit_compactions,
  read.usage_by_day, read.usage_sessions, read.usage_compactions,
  read.tenants, read.api_keys, read.audit_reads
to palimpsest_reader;
