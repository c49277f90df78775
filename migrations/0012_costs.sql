-- What was billed in US dollars, in billionths; tokens that were billed and have no price count beside it, and never as
-- nothing. What was recorded before there were prices has none.
alter table read.usage_by_day
  add column cost_nano_usd bigint not null default 0,
  add column unpriced_tokens bigint not null default 0,
  add column compaction_cost_nano_usd bigint not null default 0,
  add column compaction_unpriced_tokens bigint not null default 0;
update read.usage_by_day set
  unpriced_tokens = input_tokens + cache_read_tokens + cache_write_tokens + output_tokens,
  compaction_unpriced_tokens = compaction_input_tokens + compaction_cache_read_tokens
    + compaction_cache_write_tokens + compaction_output_tokens;

alter table read.compactions
  add column cost_nano_usd bigint not null default 0,
  add column unpriced_tokens bigint not null default 0;
update read.compactions set
  unpriced_tokens = input_tokens + cache_read_tokens + cache_write_tokens + output_tokens;
