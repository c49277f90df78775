-- A row as long as a restore into this database is not complete: the service does not start on it.
create table restore_run (
  is_only boolean primary key default true check (is_only),
  -- Names the backup.
  backup text not null,
  started_at timestamptz not null default now()
);
