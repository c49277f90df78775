-- Transparency logs: one Merkle tree for each tenant over all of its events, in the formats of C2SP. Unlike the read models they
-- cannot be rebuilt: signed heads are with others, and a head must stay true.
create schema transparency;

create table transparency.log (
  tenant text primary key,
  -- Names the log in checkpoints and keys.
  origin text not null unique,
  size bigint not null,
  -- Of all `size` leaves, signed.
  checkpoint text not null
);

-- Sealed like other secrets: keys that sign, and the secret that streams are blinded with.
create table transparency.secret (
  tenant text not null references transparency.log on delete cascade,
  name text not null,
  sealed text not null,
  primary key (tenant, name)
);

create table transparency.entry (
  tenant text not null references transparency.log on delete cascade,
  index bigint not null,
  entry text not null,
  -- Of the event; null for entries about the log itself.
  stream text,
  revision bigint,
  primary key (tenant, index)
);
create unique index on transparency.entry (tenant, stream, revision) include (index) where stream is not null;
create index on transparency.entry (tenant, index) where stream is null;

-- Hashes of 256 subtrees next to each other, fewer at the right edge.
create table transparency.tile (
  tenant text not null references transparency.log on delete cascade,
  level integer not null,
  index bigint not null,
  hashes bytea not null,
  primary key (tenant, level, index)
);

-- Signed heads from before a change of keys, which prove the change.
create table transparency.kept_head (
  tenant text not null references transparency.log on delete cascade,
  size bigint not null,
  checkpoint text not null,
  primary key (tenant, size)
);

-- How far the event log has been read: one row.
create table transparency.position (
  is_only boolean primary key default true check (is_only),
  position bigint
);
insert into transparency.position default values;
