import type pg from 'pg';

/** Methods of the driver during a COPY into the server, missing in its types. */
type CopyConnection = { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void };

/** `COPY … TO STDOUT` or `COPY … FROM STDIN` in PostgreSQL's protocol. */
class Copy {
  readonly chunks: Buffer[] = [];
  readonly done: Promise<void>;
  #resolve: () => void = () => {};
  #reject: (error: Error) => void = () => {};

  constructor(
    private readonly statement: string,
    private readonly source: readonly Buffer[] = [],
  ) {
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: pg.Connection): void {
    connection.query(this.statement);
  }
  handleCopyInResponse(connection: CopyConnection): void {
    for (const chunk of this.source) connection.sendCopyFromChunk(chunk);
    connection.endCopyFrom();
  }
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    this.chunks.push(Buffer.from(chunk)); // The driver reuses its buffer.
  }
  handleCommandComplete(): void {}
  handleError(error: Error): void {
    this.#reject(error);
  }
  handleReadyForQuery(): void {
    this.#resolve();
  }
}

const carryOut = async (client: pg.Client, copy: Copy): Promise<readonly Buffer[]> => {
  client.query(copy);
  await copy.done;
  return copy.chunks;
};

export const copyOut = (client: pg.Client, table: string): Promise<readonly Buffer[]> =>
  carryOut(client, new Copy(`copy ${table} to stdout`));
export const copyIn = async (client: pg.Client, table: string, rows: readonly Buffer[]): Promise<void> => {
  await carryOut(client, new Copy(`copy ${table} from stdin`, rows));
};
