import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
};
/** Reaction of the server to one request. */
export type Reaction = (response: ServerResponse, request: Received) => void;

/** A server that answers request after request as it was told; the last reaction serves all that come after it. */
export class ScriptedServer {
  readonly received: Received[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(...script: readonly Reaction[]): Promise<ScriptedServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port }: Partial<AddressInfo> = Object(server.address());
    const scripted = new ScriptedServer(server, `http://127.0.0.1:${port}`);
    server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
      const { method = '', url = '', headers } = request;
      const received = { method, path: url, headers, body: await text(request) };
      scripted.received.push(received);
      const react = script[Math.min(scripted.received.length, script.length) - 1];
      react?.(response, received);
    });
    return scripted;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reaction =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));

export const problem = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Reaction =>
  json(status, { type: `/errors/${code}`, title: code, status, code, detail: `about ${code}` }, headers);

/** Takes the request and breaks the connection. */
export const hangUp: Reaction = (response) => void response.destroy();

/** Never answers. */
export const silence: Reaction = () => {};

/** Server-sent events, then the end named by `end`. */
export const events =
  (text: string, end: 'end' | 'break' | 'stay'): Reaction =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text, () => {
      if (end === 'end') response.end();
      if (end === 'break') response.destroy();
    });
  };
