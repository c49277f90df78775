-- The child sessions of a session, newest activity first.
create index on read.sessions (tenant, parent, position) where parent is not null;
