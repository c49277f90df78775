-- An event of which a projection can make no row stops the rows of its stream in that projection, and nothing else.
create table read.stopped_stream (
  projection text not null,
  stream text not null,
  -- The first event of the stream that is not in the rows; none behind it is either.
  revision bigint not null,
  position bigint not null,
  -- As the log has it: perhaps no type of this service.
  type text not null,
  stopped_at timestamptz not null,
  -- The code of the error, never content.
  error text not null,
  -- An operator, or the start of a process, asks the projector to try again.
  retry_requested boolean not null default false,
  primary key (projection, stream)
);
create index on read.stopped_stream (position, projection, stream);
create index on read.stopped_stream (position) where retry_requested;

alter table read.projection_checkpoint
  drop column stopped_at,
  drop column stopped_position,
  drop column stopped_stream,
  drop column stopped_revision,
  drop column stopped_error;
