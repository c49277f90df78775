-- The installation that this database belongs to; the event log names the same one.
create table installation (
  is_only boolean primary key default true check (is_only),
  id text not null
);

-- The installation that the keys belong to. They can be moved and restored apart from the other tables.
create table keys.installation (
  is_only boolean primary key default true check (is_only),
  id text not null,
  -- The id, sealed with the key of the installation: proves that a process has this key.
  sealed text not null
);
