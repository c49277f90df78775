-- Keys can be destroyed. A row stays, so that what the key has encrypted is known to be erased, by whom and when.
alter table keys.content_key
  -- Fingerprint of the data subject; '' for the key of the session.
  add column subject text not null default '',
  add column erasure text,
  add column erasure_scope text,
  add column erased_by text,
  add column erased_at timestamptz,
  alter column wrapped drop not null,
  drop constraint content_key_tenant_session_key,
  add check ((wrapped is null) = (erased_at is not null));
-- At most one key in use for each session and subject.
create unique index content_key_in_use on keys.content_key (tenant, session, subject) where erased_at is null;
create index content_key_of_subject on keys.content_key (tenant, subject) where erased_at is null and subject <> '';
create index content_key_of_erasure on keys.content_key (tenant, erasure) where erasure is not null;

-- Erasures in progress: no new key is made for what they concern.
create table keys.fence (
  tenant text not null,
  erasure text not null,
  scope text not null,
  session text,
  subject text,
  -- The id of the tenant's key that was destroyed, for the scope `tenant`.
  tenant_key text,
  primary key (tenant, erasure)
);

-- The revision of each tenant's erasure ledger up to which erasures are carried out in this database. An older backup has
-- an older one: the erasures since are carried out again before its keys are used.
create table keys.ledger (
  tenant text primary key,
  revision bigint not null
);

-- Processes that may hold keys in memory. An erasure waits until each has dropped them, or is gone.
create sequence keys.generation;
create table keys.process (
  process text primary key,
  -- The server process of the connection on which it hears of erasures, and when that began.
  pid integer not null,
  started timestamptz not null,
  -- The newest generation that it has dropped all keys for.
  dropped bigint not null,
  seen_at timestamptz not null default now()
);
