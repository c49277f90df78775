-- Filters of an audit are asked for together. Behind its order each index holds what the other filters compare: what does
-- not pass is passed over in the index, and only rows that pass are fetched.
set local maintenance_work_mem = '256MB';
create index on read.audit_events (tenant, session, position, type, trigger, outcome, profile, model, actor);
create index on read.audit_events (tenant, type, position, trigger, outcome, profile, model, actor);
create index on read.audit_events (tenant, trigger, position, type, outcome, profile, model, actor)
  where trigger is not null;
create index on read.audit_events (tenant, outcome, position, type, trigger, profile, model, actor)
  where outcome is not null;
create index on read.audit_events (tenant, profile, position, type, trigger, outcome, model, actor);
create index on read.audit_events (tenant, model, position, type, trigger, outcome, profile, actor);
create index on read.audit_events (tenant, actor, position, type, trigger, outcome, profile, model);
create index on read.audit_events (tenant, recorded_at, position, type, trigger, outcome, profile, model, actor);

-- Last, since whoever drops an index keeps others from reading until the end of the transaction.
drop index read.audit_events_tenant_session_position_idx;
drop index read.audit_events_tenant_type_position_idx;
drop index read.audit_events_tenant_trigger_position_idx;
drop index read.audit_events_tenant_outcome_position_idx;
drop index read.audit_events_tenant_profile_position_idx;
drop index read.audit_events_tenant_model_position_idx;
drop index read.audit_events_tenant_actor_position_idx;
drop index read.audit_events_tenant_recorded_at_position_idx;
