-- Costs and savings of a day, told apart by where they come from, in sums that cannot overflow.

-- What was added up until now counted a saving once for each compaction, and imports under the day on which they were
-- imported: the projector adds all of it up anew from the log.
truncate read.usage_by_day, read.usage_sessions, read.usage_compactions;
update read.projection_checkpoint set position = null, events = 0 where projection = 'usage_by_day';

-- `live` for what this service has composed, compacted or was told of as it happened, on the day of its recording;
-- `import` for what a transcript tells, on the day that it tells.
alter table read.usage_by_day add column source text not null default 'live';
alter table read.usage_by_day alter column source drop default;
alter table read.usage_by_day
  drop constraint usage_by_day_pkey,
  add primary key (tenant, day, source, model, profile);

alter table read.usage_by_day drop column saved_tokens;
alter table read.usage_by_day
  -- Requests that were composed, and those of them that were smaller because of compactions.
  add column requests numeric not null,
  add column smaller_requests numeric not null,
  -- Counted tokens by which they were smaller, added up over all of them.
  add column counted_saved_tokens numeric not null,
  -- Results that came beside another one of the same compaction, or the provider's own: what they cost is in the costs too.
  add column double_runs numeric not null,
  add column double_run_cost_nano_usd numeric not null,
  add column double_run_unpriced_tokens numeric not null,
  alter column calls type numeric,
  alter column input_tokens type numeric,
  alter column cache_read_tokens type numeric,
  alter column cache_write_tokens type numeric,
  alter column output_tokens type numeric,
  alter column compaction_input_tokens type numeric,
  alter column compaction_cache_read_tokens type numeric,
  alter column compaction_cache_write_tokens type numeric,
  alter column compaction_output_tokens type numeric,
  alter column cost_nano_usd type numeric,
  alter column unpriced_tokens type numeric,
  alter column compaction_cost_nano_usd type numeric,
  alter column compaction_unpriced_tokens type numeric,
  alter column completed type numeric,
  alter column failed type numeric,
  alter column skipped type numeric,
  alter column cancelled type numeric,
  alter column reverted type numeric;
