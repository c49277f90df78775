import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';

/** Takes whatever it is sent, and keeps it as text; what comes to `/hook` it says it cannot take. */
export class Sink {
  private all = '';
  private hooked = 0;
  private waiting: (() => void)[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Sink> {
    const server = createServer();
    const sink = new Sink(server);
    server.on('request', async (request, response) => {
      sink.all += `${request.url} ${JSON.stringify(request.headers)} ${await text(request)}\n`;
      const isHook = request.url === '/hook';
      response.writeHead(isHook ? 503 : 200).end();
      if (!isHook) return;
      sink.hooked += 1;
      for (const go of sink.waiting.splice(0)) go();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return sink;
  }

  get url(): string {
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  /** Settles when something has come to `/hook`. */
  called(): Promise<void> {
    return this.hooked > 0 ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Ends it. @returns everything that it was sent. */
  close(): string {
    this.server.closeAllConnections();
    this.server.close();
    return this.all;
  }
}
