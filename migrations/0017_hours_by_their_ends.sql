-- An hour says where the events of it and of later hours begin, and where those of it and of earlier hours end: a range of
-- time is looked up by the rows of its two ends, where before all the hours between them were read.
update read.audit_hours as h set first_position = w.first_position, last_position = w.last_position
  from (
    select tenant, hour,
      min(first_position) over (partition by tenant order by hour desc) as first_position,
      max(last_position) over (partition by tenant order by hour) as last_position
    from read.audit_hours
  ) as w
  where w.tenant = h.tenant and w.hour = h.hour
    and (w.first_position, w.last_position) is distinct from (h.first_position, h.last_position);
