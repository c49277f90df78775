import type { TlsOptions } from '../security/tls/certificates.js';

export type EventStoreOptions = {
  /** Made where it does not exist. One process at a time has it. */
  readonly dataDir: string;
  /** 0, the default: any that is free. */
  readonly port?: number;
  /** The interface to listen on: 127.0.0.1 where nothing is said, as that of this machine alone. */
  readonly host?: string;
  /** Listens on a socket of the file system and on no port; only its owner may connect. */
  readonly unixSocket?: string;
  /** What clients that discover the server are told, where they see it under another name. */
  readonly advertiseHost?: string;
  readonly advertisePort?: number;
  /** The most bytes of data and metadata of one append; 1 MiB where nothing is said, as in EventStoreDB. */
  readonly appendSizeMax?: number;
  /** With TLS there are users and access lists; without it nobody is asked who he is. */
  readonly tls?: TlsOptions;
  /** Listens beyond this machine although there is no TLS: everybody who gets there may do everything. */
  readonly allowInsecureHost?: boolean;
  /** Streams that are open to all are so for callers without credentials too; not in EventStoreDB since 23.10. */
  readonly allowAnonymousStreamAccess?: boolean;
  /** Of the users that the first start with TLS makes; generated where nothing is given. */
  readonly defaultAdminPassword?: string;
  readonly defaultOpsPassword?: string;
  /** Goes on without what is lost where the folder is damaged, and appends an event that says so. */
  readonly acceptLoss?: boolean;
  /** Whether those system projections run that are switched on: `$by_category` and its like. They do by default. */
  readonly systemProjections?: boolean;
  /** Switches all of them on at the start. */
  readonly startStandardProjections?: boolean;
};

export const APPEND_SIZE_MAX = 2 ** 20;
export const LOOPBACK = '127.0.0.1';
