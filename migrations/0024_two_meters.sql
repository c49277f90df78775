-- Sizes say their meter: counted tokens are this service's own, billed tokens the provider's.
alter table read.compactions rename column tokens_before to counted_before;
alter table read.compactions rename column tokens_after to counted_after;
alter table read.compactions add column billed_before bigint;
alter table read.compactions add column billed_after bigint;
