-- What a completed compaction has lost, as hashes of names and of the words of directives: never the names themselves.
-- Compactions of all sessions are searched by them.
create index on read.audit_events using gin ((payload -> 'lost') jsonb_path_ops)
  where type = 'CompactionCompleted';
-- The projector reads the log once more from its beginning, for losses of compactions that ended before.
update read.projection_checkpoint set position = null, events = 0 where projection = 'audit_events';
delete from read.audit_hours;
