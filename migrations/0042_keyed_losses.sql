-- Digests of lost names and words are keyed. The projector reads the log once more from its beginning, and replaces those without a key.
update read.projection_checkpoint set position = null, events = 0 where projection = 'audit_events';
delete from read.audit_hours;
