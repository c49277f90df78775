-- How much of what a compaction covered its context still holds, from 0 to 1. What covered nothing, or was recorded before it
-- was measured, has none.
alter table read.compactions add column fidelity double precision;
