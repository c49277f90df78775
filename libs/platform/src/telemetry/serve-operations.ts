import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '@app/kernel';
import { RETRY_AFTER_SECONDS, requireReady } from './health.js';
import { mayReadMetrics, type Operations } from './operations.js';

/** Milliseconds for running answers after the stop; incomplete requests are cut then. */
const CLOSE_MAX_MS = 1_000;

export type OperationsServer = { readonly url: string; close(): Promise<void> };

/**
 * Serves health and metrics of a process without the API: `/health/live`, `/health/ready`, `/health`, `/metrics`.
 *
 * @throws {AppError} `port-in-use`, `host-unusable`.
 */
export const serveOperations = async (
  operations: Operations,
  host: string,
  port: number,
): Promise<OperationsServer> => {
  const server = createServer((request, response) => void answer(operations, request, response));
  await listening(server, host, port);
  const at = server.address();
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${isAddress(at) ? at.port : port}`;
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), CLOSE_MAX_MS);
        server.close(() => {
          clearTimeout(cut);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
};

const answer = async (
  operations: Operations,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { status, type, body } = await answerTo(operations, request);
  if (status === 503) response.setHeader('retry-after', RETRY_AFTER_SECONDS);
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
};

type Answer = { readonly status: number; readonly type: string; readonly body: string };

const answerTo = async (operations: Operations, { method, url, socket, headers }: IncomingMessage) => {
  if (method !== 'GET') return problem(405, 'route-not-found', 'only GET is answered here');
  const mayRead = mayReadMetrics(operations.metricsFor, { address: socket.remoteAddress, headers });
  switch (url?.split('?')[0]) {
    case '/health/live':
      return json(200, { status: 'live' });
    case '/health/ready':
      return operations.health().then((health) => {
        try {
          requireReady(health);
          return json(200, { status: 'ready' });
        } catch (error) {
          if (error instanceof AppError) return problem(503, error.code, error.message);
          throw error;
        }
      });
    case '/health':
      return (mayRead ? operations.detailedHealth() : operations.health()).then((health) =>
        json(health.status === 'ready' ? 200 : 503, health),
      );
    case '/metrics':
      if (!mayRead)
        return problem(
          403,
          'forbidden',
          'this client may not read the metrics: PALIMPSEST_METRICS on the server selects who may',
        );
      return operations
        .metricsText()
        .then((body) => ({ status: 200, type: operations.metrics.contentType, body }));
    default:
      return problem(404, 'route-not-found', 'unknown route');
  }
};

const json = (status: number, value: unknown): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(value),
});

const problem = (status: number, code: string, detail: string): Answer => ({
  status,
  type: 'application/problem+json',
  body: JSON.stringify({ type: `/errors/${code}`, title: code.replaceAll('-', ' '), status, code, detail }),
});

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure(error, host, port)));
    server.listen(port, host, () => resolve());
  });

const listenFailure = (error: Error, host: string, port: number): Error => {
  const code = 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new AppError(
      'port-in-use',
      `port ${port} is in use: set PALIMPSEST_OPERATIONS_PORT to another, or 0`,
    );
  return new AppError('host-unusable', `cannot listen on ${host}:${port}: set PALIMPSEST_HTTP_HOST`, {
    cause: error,
  });
};

const isAddress = (at: AddressInfo | string | null): at is AddressInfo =>
  typeof at === 'object' && at !== null;
