/** Marks a supervised server in the process list, which distinguishes an orphan from an unrelated server. */
export const MARK = 'palimpsest.supervised=on';

/**
 * Returns the settings of the server. Passed at every start instead of stored in the cluster, so that a new version
 * applies its own to an old folder.
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
  // A socket path is limited to 107 bytes, which a data folder's path may exceed.
  unix_socket_directories: '',
  // An acknowledged commit is on disk, with any postgresql.conf.
  fsync: 'on',
  // Segments of the write-ahead log that are needed no more are removed: their bytes would outlive an erasure.
  wal_recycle: 'off',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // A single node without replicas needs less WAL.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '256MB',
  // UTC and English on every machine: `failures.ts` parses the lines.
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_checkpoints: 'off',
  // The detail of an error quotes the row, which contains users' data.
  log_error_verbosity: 'terse',
};
