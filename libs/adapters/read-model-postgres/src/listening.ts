/** A connection on which notifications arrive. */
export type Listening = {
  /** The server process of the connection. */
  readonly pid: number;
  close(): Promise<void>;
};
