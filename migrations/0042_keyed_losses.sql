-- Digests of lost names and words are keyed. Those without a key go at once; the projector reads the log once more from its
-- beginning, and writes the keyed ones.
update read.audit_events set payload = payload - 'lost' where type = 'CompactionCompleted' and payload ? 'lost';
update read.projection_checkpoint set position = null, events = 0 where projection = 'audit_events';
