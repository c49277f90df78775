-- What witnesses have cosigned of the logs (C2SP tlog-witness). A head is kept until newer ones with a quorum have replaced it.
create table transparency.cosigned_head (
  tenant text not null references transparency.log on delete cascade,
  size bigint not null,
  -- Signed by the log alone.
  checkpoint text not null,
  primary key (tenant, size)
);

create table transparency.cosignature (
  tenant text not null,
  size bigint not null,
  -- The witness' key, a vkey.
  witness text not null,
  -- A signature line of a note.
  line text not null,
  primary key (tenant, size, witness),
  foreign key (tenant, size) references transparency.cosigned_head on delete cascade
);

create table transparency.witness_status (
  tenant text not null references transparency.log on delete cascade,
  witness text not null,
  -- Of the tree that it has cosigned last; null before the first one.
  size bigint,
  cosigned_at timestamptz,
  -- Why it has not cosigned since then.
  problem text,
  failing_since timestamptz,
  primary key (tenant, witness)
);

-- What this installation, as a witness, has cosigned of the logs of others. Not in backups: a restored state could let a key cosign
-- two trees of one size.
create table transparency.witness_key (
  -- Name of the key, and its type.
  name text not null,
  type text not null,
  sealed text not null,
  primary key (name, type)
);

create table transparency.witnessed_log (
  origin text primary key,
  size bigint not null,
  root text not null,
  -- With the signatures of the log and of this witness; null before the first one.
  checkpoint text
);
