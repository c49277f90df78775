import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

/** A request to the provider, with its raw headers. */
type Asked = { readonly url: string; readonly headers: string };
type Answers = (response: ServerResponse, request: IncomingMessage) => void;

/** A provider that answers with exact bytes. */
export class RawProvider {
  readonly asked: Asked[] = [];
  private answers: Answers = (response) => void response.end('{}');

  private constructor(private readonly server: Server) {}

  static async start(): Promise<RawProvider> {
    const server = createServer();
    const provider = new RawProvider(server);
    server.on('request', (request, response) => {
      provider.asked.push({ url: request.url ?? '', headers: request.rawHeaders.join('\n') });
      request.resume();
      request.on('end', () => provider.answers(response, request));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get url(): string {
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  }

  reply(answers: Answers): void {
    this.answers = answers;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
