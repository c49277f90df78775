/** Servers of a parent process, which this process joins instead of starting its own. */
export type JoinedServers = {
  readonly eventStoreUrl: string;
  /** Contains the password. */
  readonly postgresUrl: string;
  /** The data folder if PostgreSQL is embedded. */
  readonly ownFolder: string | undefined;
};
