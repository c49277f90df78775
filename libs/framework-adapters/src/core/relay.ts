import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isDecision } from './outage.js';

/** A request of an agent to its provider. */
export type Relayed = {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: Buffer<ArrayBuffer>;
  /** Aborts when the agent ends the connection. */
  readonly signal: AbortSignal;
};

/** Headers of one connection, and headers that `fetch` sets by itself. */
const OF_CONNECTION = [
  ...['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'expect'],
  ...['accept-encoding', 'content-encoding'],
];

/**
 * Answers the requests of an agent's process on a local port. The path of its URL is secret, so that other programs of the
 * machine cannot use it. Does not keep the process alive. Failures are in Anthropic's form.
 */
export const startRelay = async (answer: (request: Relayed) => Promise<Response>) => {
  const secret = `/${randomUUID()}`;
  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => {
      // The agent repeats a request after a failure, not after a decision of the service.
      const [status, type] = isDecision(error) ? [400, 'invalid_request_error'] : [502, 'api_error'];
      if (!response.headersSent) response.writeHead(status, { 'content-type': 'application/json' });
      const message = error instanceof Error ? error.message : String(error);
      response.end(JSON.stringify({ type: 'error', error: { type, message } }));
    });
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '', method = 'GET' } = request;
    if (!url.startsWith(`${secret}/`)) return void response.writeHead(404).end();
    const left = new AbortController();
    response.on('close', () => response.writableFinished || left.abort());
    const headers = new Headers();
    for (const [name, values] of Object.entries(request.headersDistinct))
      if (!OF_CONNECTION.includes(name)) for (const value of values ?? []) headers.append(name, value);
    const body = await buffer(request);
    const { signal } = left;
    const answered = await answer({ method, path: url.slice(secret.length), headers, body, signal });
    const kept = [...answered.headers].filter(([name]) => !OF_CONNECTION.includes(name));
    response.writeHead(answered.status, Object.fromEntries(kept));
    for await (const bytes of answered.body ?? []) response.write(bytes);
    response.end();
  };
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  server.unref();
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}${secret}`, close: () => void server.close() };
};
