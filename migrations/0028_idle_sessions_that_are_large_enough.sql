-- Only sessions that are worth a compaction: the compactors look for idle ones every minute, among as many sessions as there are.
drop index read.sessions_updated_at_idx;
create index sessions_idle on read.sessions (updated_at)
  where idle_after_minutes > 0 and not closed and window_tokens > 0 and occupancy >= idle_at * window_tokens;
