-- The holder of an advisory lock proves that it is not stalled: it counts `beats` up every other second. A stand-by that
-- sees no beat for longer than the lease ends the holder's connection, and with it its lock and its transaction.
create table lock_beat (
  lock bigint primary key,
  -- Of the server process that holds the lock.
  pid integer not null,
  beats bigint not null default 0
);
