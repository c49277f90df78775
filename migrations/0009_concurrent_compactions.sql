-- Compactions of a tenant that run at once in one process; the default is that of whoever is not told otherwise.
alter table read.tenants
  add column concurrent_compactions bigint not null default 2;
