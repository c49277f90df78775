-- Pages of a session's compactions, newest first.
create index on read.compactions (tenant, session, requested_position);

-- Requests that came with an Idempotency-Key, and what they were answered; each for a day.
create table idempotency_key (
  tenant text not null,
  key text not null,
  -- SHA-256 of method, path, query and body: the same key with another request is refused.
  request bytea not null check (octet_length(request) = 32),
  -- Who carries the request out, and until when others leave it to him.
  holder uuid not null,
  leased_until timestamptz not null,
  -- Null until the request has been answered.
  status integer,
  headers jsonb,
  body text,
  claimed_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant, key)
);
create index on idempotency_key (expires_at);
