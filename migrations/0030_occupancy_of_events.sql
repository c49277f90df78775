-- Billed tokens of the session's next request after an event, where the event states them: the series of a session's occupancy.
alter table read.audit_events add column occupancy bigint;
-- The projector reads the log once more from its beginning, for events that were recorded before.
update read.projection_checkpoint set position = null, events = 0 where projection = 'audit_events';
delete from read.audit_hours;
