-- What tenants give the service to use in their name. No value is in it that was not sealed before, with a key that is
-- elsewhere; the same holds for webhook_secret from here on, and for what stands there from before as soon as a process
-- with a key has started.
create table tenant_secret (
  tenant text not null,
  name text not null,
  sealed text not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  -- To the minute; null where nothing has read it.
  last_used_at timestamptz,
  primary key (tenant, name)
);

alter table tenant_secret enable row level security;
create policy of_tenant on tenant_secret for select to palimpsest_reader
  using (tenant = current_setting('palimpsest.tenant', true));
grant select on tenant_secret to palimpsest_reader;
-- Everybody may use the schema public, unless somebody has taken that away.
do $$ begin
  execute format('grant usage on schema %I to palimpsest_reader', current_schema());
end $$;
