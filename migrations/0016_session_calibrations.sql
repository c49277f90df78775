-- What is known of the tokens of each model, as JSON: how many are reported for a thousand that are counted, and how many
-- requests carry besides. What was recorded before anything was learned has none.
alter table read.sessions add column calibrations text not null default '{}';
alter table read.sessions alter column calibrations drop default;
