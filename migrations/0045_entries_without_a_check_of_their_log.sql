-- Entries are written under the lock of their log's row, and logs are never deleted: the check of each entry cost a look-up.
alter table transparency.entry drop constraint entry_tenant_fkey;
