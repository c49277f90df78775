/** Marks a server as ours in the list of processes, so that an orphan of ours is told from a stranger. */
export const MARK = 'palimpsest.supervised=on';

/**
 * The settings of the server. They are given with every start, not written into the cluster at its birth, so
 * that a new version of this program brings its own to an old folder.
 */
export const serverArguments = (cluster: string, port: number): readonly string[] => [
  '-D',
  cluster,
  ...Object.entries({ ...SETTINGS, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]),
  '-c',
  MARK,
];

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  // A socket's path may have 107 bytes, and a data folder's path may be longer.
  unix_socket_directories: '',
  // An answered commit is on disk; whoever edited postgresql.conf to the contrary is overruled.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // One node with nobody to replicate to: less is written, and a small program keeps to a small log.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '256MB',
  // Everything is in UTC and English, whatever the machine: the lines are read by `failures.ts`.
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_checkpoints: 'off',
  // The detail of an error quotes the row that caused it, and rows hold what people wrote.
  log_error_verbosity: 'terse',
};
