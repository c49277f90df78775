-- Contents that are too large for an event, each once, under the SHA-256 of its bytes.
create table blob (
  digest bytea primary key,
  -- As its first writer named it; whoever refers to the content names it for themselves.
  media_type text not null,
  size bigint not null check (size = octet_length(content)),
  content bytea not null,
  created_at timestamptz not null default now(),
  -- Whatever the program believes that it sends.
  constraint blob_digest_is_true check (digest = sha256(content))
);
-- Uncompressed, so that a slice is read without the rest: PostgreSQL cannot send several hundred MB at once.
alter table blob alter column content set storage external;
