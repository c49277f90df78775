-- A projection stops before an event whose row cannot be written, while the others go on; all are null where it goes on.
alter table read.projection_checkpoint
  add column stopped_at timestamptz,
  -- The event that it stands before: its place in the log, its stream and its revision there.
  add column stopped_position bigint,
  add column stopped_stream text,
  add column stopped_revision bigint,
  -- The class or code of what it failed with, never content.
  add column stopped_error text;
