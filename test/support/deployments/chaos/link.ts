import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A TCP link on the loopback interface before one port, with a network's faults: connections that are cut, and
 * connections on which nothing moves any more although both ends believe them to live.
 */
export class Link {
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #isHeld = false;

  private constructor(
    private readonly server: Server,
    private readonly targetPort: number,
    readonly port: number,
  ) {}

  static async start(targetPort: number): Promise<Link> {
    const server = createServer({ pauseOnConnect: true });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const address = server.address();
    const link = new Link(server, targetPort, typeof address === 'object' && address ? address.port : 0);
    server.on('connection', (socket) => link.#join(socket));
    return link;
  }

  /** Ends every connection with a reset, as a router that restarts. */
  cut(): void {
    for (const [client, server] of this.#pairs) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  }

  /** Ends every connection, and refuses new ones until {@link open}, as a port without a process. */
  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.cut();
    await closed;
  }

  /** Accepts connections again. */
  async open(): Promise<void> {
    await once(this.server.listen(this.port, '127.0.0.1'), 'listening');
  }

  /** Nothing passes until {@link release}, on connections of now and on new ones. */
  hold(): void {
    this.#isHeld = true;
    for (const pair of this.#pairs) for (const socket of pair) socket.pause();
  }

  release(): void {
    this.#isHeld = false;
    for (const pair of this.#pairs) for (const socket of pair) socket.resume();
  }

  stop(): void {
    this.server.close();
    this.cut();
  }

  #join(client: Socket): void {
    const server = connect(this.targetPort, '127.0.0.1');
    const pair = [client, server] as const;
    this.#pairs.add(pair);
    for (const [from, to] of [pair, [server, client] as const]) {
      from.setNoDelay(true);
      from.on('data', (bytes) => {
        if (!to.write(bytes)) from.pause();
      });
      to.on('drain', () => {
        if (!this.#isHeld) from.resume();
      });
      from.on('end', () => to.end());
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        this.#pairs.delete(pair);
      });
    }
    if (this.#isHeld) server.pause();
    else client.resume();
  }
}
