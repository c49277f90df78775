import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';

/** An HTTP server that records every request as text; answers `/hook` with an error. */
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

  /** Resolves after a request to `/hook`. */
  called(): Promise<void> {
    return this.hooked > 0 ? Promise.resolve() : new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Closes the server and returns all recorded requests. */
  close(): string {
    this.server.closeAllConnections();
    this.server.close();
    return this.all;
  }
}
