-- Leaves have another form: all logs begin anew, under new names and with new keys, as after `restore --new-logs`.
delete from transparency.log;
update transparency.position set position = null;
