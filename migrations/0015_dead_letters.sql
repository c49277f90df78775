-- Dead letters are counted for those who watch.
create index on webhook_delivery (webhook) where state = 'dead';
