export type EventStoreOptions = {
  /** Made where it does not exist. One process at a time has it. */
  readonly dataDir: string;
  /** 0, the default: any that is free. */
  readonly port?: number;
  /** The most bytes of data and metadata of one append; 1 MiB where nothing is said, as in EventStoreDB. */
  readonly appendSizeMax?: number;
};

export const APPEND_SIZE_MAX = 2 ** 20;

/** The address of a store on this machine, as the client takes it. */
export const urlOf = (port: number): string => `esdb://127.0.0.1:${port}?tls=false`;
