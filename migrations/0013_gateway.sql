-- By what the gateway finds a session: digests of the histories that clients send, and ids. Never content.

-- A history that has been heard of, known by the digest of its chain of messages.
create table gateway_conversation (
  tenant text not null,
  chain bytea not null,
  session text not null,
  -- How many messages the session had by then.
  messages bigint not null,
  primary key (tenant, chain)
);

-- What a provider has said, by the name that it gave it: of an answer the digest of its chain, of an item that of its
-- words, empty where it has none.
create table gateway_name (
  tenant text not null,
  name text not null,
  digest bytea not null,
  primary key (tenant, name)
);
