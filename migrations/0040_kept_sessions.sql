-- Sessions that are kept in the mode `compliance`: until that time the database refuses to destroy their keys, whatever asks
-- for it. The projector fills the table from the log; a row never gets an earlier time.
create table keys.kept (
  tenant text not null,
  session text not null,
  until timestamptz not null,
  primary key (tenant, session)
);
insert into keys.kept (tenant, session, until)
  select tenant, session, retain_until from read.sessions
  where retention_mode = 'compliance' and retain_until is not null;

-- Wrapped keys of tenants that were replaced while sessions were kept: a rewrapping that lost the key could not be told from a
-- rotation. Rows go when nothing of the tenant is kept any more.
create table keys.former_tenant_key (
  tenant text not null,
  wrapped text not null,
  replaced_at timestamptz not null default now()
);

-- Raises PK001, with the time as its detail. PostgreSQL has no codes that begin so.
create function keys.refuse_if_kept(of_tenant text, of_session text) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  found_session text;
  found_until timestamptz;
begin
  select session, until into found_session, found_until from keys.kept
    where tenant = of_tenant and (of_session is null or session = of_session) and until > now()
    order by until desc limit 1;
  if found then
    raise exception 'retention of session "%" in the mode compliance', found_session
      using errcode = 'PK001', detail = to_char(found_until at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
  end if;
end $$;

create function keys.keep_row() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE' or (new.tenant, new.session) is distinct from (old.tenant, old.session) or new.until < old.until then
    perform keys.refuse_if_kept(old.tenant, old.session);
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger keep before update or delete on keys.kept for each row execute function keys.keep_row();

create function keys.keep_content_key() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if old.wrapped is not null and (tg_op = 'DELETE'
    or (new.id, new.tenant, new.session, new.subject, new.wrapped)
      is distinct from (old.id, old.tenant, old.session, old.subject, old.wrapped)) then
    perform keys.refuse_if_kept(old.tenant, old.session);
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger keep before update or delete on keys.content_key
  for each row execute function keys.keep_content_key();

create function keys.keep_tenant_key() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'DELETE' or new.tenant <> old.tenant then
    perform keys.refuse_if_kept(old.tenant, null);
    delete from keys.former_tenant_key where tenant = old.tenant;
  elsif new.wrapped <> old.wrapped then
    if exists (select from keys.kept where tenant = old.tenant and until > now()) then
      insert into keys.former_tenant_key (tenant, wrapped) values (old.tenant, old.wrapped);
    else
      delete from keys.former_tenant_key where tenant = old.tenant;
    end if;
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger keep before update or delete on keys.tenant_key
  for each row execute function keys.keep_tenant_key();

create function keys.keep_former_key() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  perform keys.refuse_if_kept(old.tenant, null);
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger keep before update or delete on keys.former_tenant_key
  for each row execute function keys.keep_former_key();

-- Large contents are ciphertext, and never change.
create function keys.keep_blob() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  raise exception 'contents are never changed or deleted' using errcode = 'PK002';
end $$;
create trigger keep before update or delete or truncate on blob for each statement execute function keys.keep_blob();

create function keys.keep_all() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from keys.kept where until > now()) then
    raise exception 'sessions are kept in the mode compliance' using errcode = 'PK002';
  end if;
  return null;
end $$;
create trigger keep_all before truncate on keys.kept for each statement execute function keys.keep_all();
create trigger keep_all before truncate on keys.content_key for each statement execute function keys.keep_all();
create trigger keep_all before truncate on keys.tenant_key for each statement execute function keys.keep_all();
create trigger keep_all before truncate on keys.former_tenant_key for each statement execute function keys.keep_all();
