-- Who the tenants are, what opens their doors, and who has read what of their records.

-- A tenant as its newest event left it.
create table read.tenants (
  tenant text primary key,
  name text not null,
  requests_per_second bigint not null,
  requests_per_minute bigint not null,
  tokens_per_minute bigint not null,
  -- Of its newest event, in the log.
  position bigint not null,
  updated_at timestamptz not null
);

-- A key as its newest event left it. Nobody can make the key itself of what is here.
create table read.api_keys (
  key text primary key,
  tenant text not null,
  role text not null,
  -- SHA-256 of the key, in hex.
  hash text not null,
  prefix text not null,
  label text not null,
  issued_at timestamptz not null,
  -- Null for a key that does not expire.
  expires_at timestamptz,
  -- The key that takes its place.
  replaced_by text,
  revoked boolean not null,
  position bigint not null
);
create index on read.api_keys (tenant, position);

-- One row for each look at what was recorded of a tenant.
create table read.audit_reads (
  position bigint primary key,
  tenant text not null,
  recorded_at timestamptz not null,
  actor text not null,
  endpoint text not null,
  filters jsonb not null,
  rows bigint not null
);
create index on read.audit_reads (tenant, position);

insert into read.projection_checkpoint (projection) values ('tenants'), ('api_keys'), ('audit_reads');

-- When a key was used last, to the minute. It is no event, and cannot be built again from the log.
create table key_use (
  key text primary key,
  tenant text not null,
  used_at timestamptz not null
);
