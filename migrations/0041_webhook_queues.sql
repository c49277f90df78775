-- The first pending delivery of each session and webhook: what is sent next. It is found without a look at all sessions that wait.
-- Nothing is written between the filling of the table and the triggers.
lock table webhook_delivery in share row exclusive mode;
create table webhook_queue (
  webhook text not null,
  session text not null,
  position bigint not null,
  next_at timestamptz not null,
  primary key (webhook, session)
);
create index on webhook_queue (webhook, next_at, position);
insert into webhook_queue (webhook, session, position, next_at)
  select distinct on (webhook, session) webhook, session, position, next_at from webhook_delivery
  where state = 'pending' order by webhook, session, position;

-- Every change of a delivery locks its queue, also where the first delivery stays: changes of two see each other then.
create function queue_delivery() returns trigger language plpgsql as $$
begin
  insert into webhook_queue as q (webhook, session, position, next_at)
    values (new.webhook, new.session, new.position, new.next_at)
    on conflict (webhook, session) do update set position = excluded.position, next_at = excluded.next_at
      where excluded.position <= q.position;
  return null;
end $$;
create trigger queue after insert on webhook_delivery
  for each row when (new.state = 'pending') execute function queue_delivery();
-- Tried without success, or sent again.
create trigger queue_again after update of state, next_at on webhook_delivery
  for each row when (new.state = 'pending') execute function queue_delivery();

create function unqueue_delivery() returns trigger language plpgsql as $$
declare
  first bigint;
begin
  select position into first from webhook_queue
    where webhook = new.webhook and session = new.session for update;
  if first is distinct from new.position then
    return null;
  end if;
  update webhook_queue as q set position = n.position, next_at = n.next_at
    from (select position, next_at from webhook_delivery
      where state = 'pending' and webhook = new.webhook and session = new.session and position > new.position
      order by position limit 1) as n
    where q.webhook = new.webhook and q.session = new.session;
  if not found then
    delete from webhook_queue where webhook = new.webhook and session = new.session;
  end if;
  return null;
end $$;
create trigger unqueue after update of state on webhook_delivery
  for each row when (new.state <> 'pending') execute function unqueue_delivery();

-- No foreign key: its check would wait for the removal of the webhook, which waits for the delivery. Foreign keys of deliveries
-- act before this trigger.
create function remove_queues() returns trigger language plpgsql as $$
begin
  delete from webhook_queue where webhook = old.webhook;
  return null;
end $$;
create trigger remove_queues after delete on webhook for each row execute function remove_queues();
