-- The events say what the next request of a session takes: rows keep nothing to count on.
alter table read.sessions
  drop column occupancy_reported,
  drop column appended_tokens,
  drop column before_messages,
  drop column pivot_messages,
  drop column billed_messages,
  drop column carried,
  drop column calibrations;
drop table read.session_messages;
