-- A message of a session by its id: its original is read from the log by one read at this revision, however long the session is.
create index on read.audit_events (tenant, session, (payload ->> 'messageId'), revision) where type = 'MessageAppended';
