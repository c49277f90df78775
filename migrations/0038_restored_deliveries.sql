-- Events up to this place of the log come from a backup: the installation that it was taken of may have sent them already.
alter table webhook_checkpoint add column restored_to bigint;
