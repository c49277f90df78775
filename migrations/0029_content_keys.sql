-- Keys that content in the log is encrypted with. Whoever copies the log without this schema copies no content, and a
-- backup of this schema belongs apart from those of the log.
create schema keys;

-- The key of each tenant, which wraps the keys of its sessions; wrapped itself with the installation's key.
create table keys.tenant_key (
  tenant text primary key,
  wrapped text not null,
  created_at timestamptz not null default now()
);

-- One key for each session. The id is random, and stands in every event that the key has sealed.
create table keys.content_key (
  id text primary key,
  tenant text not null,
  session text not null,
  wrapped text not null,
  created_at timestamptz not null default now(),
  unique (tenant, session)
);
