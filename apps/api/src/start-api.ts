import { AppError, codeOf, invariant } from '@app/kernel';
import {
  type AppConfig,
  Closers,
  configuredKey,
  type FirstKeyKeeper,
  Palimpsest,
  type Running,
} from '@app/platform';
import type { Access } from '@app/ports';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { apiModule } from './api.module.js';
import { serveConsole } from './console/serve-console.js';
import { Allowance } from './http/allowance/rate-limits.js';
import { Turns } from './http/allowance/turns.js';
import { OneTimeCodes } from './http/browser/one-time-codes.js';
import { SessionCookies } from './http/browser/session-cookies.js';
import { BODY_BYTES_MAX, Bodies } from './http/entry/bodies.js';
import { guardEntry } from './http/entry/entry.js';
import {
  refuseConnection,
  refusePath,
  sendSecurityHeaders,
  writeLargeAnswersInSlices,
} from './http/server/answers.js';
import { gracefulClose, refuseUnusableBodies, unusedConnections } from './http/server/connections.js';
import { refuseMcpSessions } from './mcp/mcp.controller.js';
import { serveDocs, serveIcon } from './openapi/serve-docs.js';
import { observeRequests, requestIdOf } from './operations/observe-requests.js';

/** Characters of an ID in a path: more than fit into a request head, so that the rule of each ID applies. */
const PATH_MAX = 16_384;
/** Milliseconds between checks of connections whose request has not begun. */
const CHECK_EVERY_MS = 5_000;

type RunningApi = Running & {
  readonly url: string;
  /** Returns a new link that signs a browser in once, and leads to a session if one is given. */
  readonly signInLink: (session?: string) => string;
};

const MIB = 1_048_576;

/**
 * Starts the engine and serves the API over HTTP; the other roles run in a child process.
 *
 * @param keeper stores the first API key, where one is issued.
 * @throws {AppError} `port-in-use`, `host-unusable`, and as the servers do; then nothing is left running.
 */
export const startApi = async (config: AppConfig, keeper: FirstKeyKeeper): Promise<RunningApi> => {
  const closers = new Closers();
  try {
    return await serve(config, keeper, closers);
  } catch (error) {
    await closers.close();
    throw error;
  }
};

const serve = async (config: AppConfig, keeper: FirstKeyKeeper, closers: Closers): Promise<RunningApi> => {
  let directory: Access | undefined;
  const app = await NestFactory.create<NestFastifyApplication>(
    apiModule({ ...config, PALIMPSEST_ROLES: ['api'] }, closers, () => {
      invariant(directory, 'requests come after the directory of keys is open');
      return directory;
    }),
    adapterFor(config),
    { logger: false, abortOnError: false, bodyParser: false },
  );
  const palimpsest = app.get(Palimpsest);
  const { access, issueFirstKey } = await palimpsest.openAccess(await configuredKey(config));
  directory = access;
  const bodies = new Bodies(
    {
      idleMs: config.PALIMPSEST_HTTP_BODY_IDLE_TIMEOUT_MS,
      wholeMs: config.PALIMPSEST_HTTP_BODY_TIMEOUT_MS,
    },
    {
      perTenant: config.PALIMPSEST_HTTP_BODY_MEMORY_PER_TENANT_MB * MIB,
      inAll: config.PALIMPSEST_HTTP_BODY_MEMORY_MB * MIB,
    },
  );
  const http = app.getHttpAdapter().getInstance();
  observeRequests(http, palimpsest.operations.metrics);
  const cookies = app.get(SessionCookies);
  guardEntry(app, { access, cookies, allowance: app.get(Allowance), bodies, turns: new Turns() });
  refuseUnusableBodies(app);
  writeLargeAnswersInSlices(http);
  const closeGracefully = gracefulClose(app, bodies, config.PALIMPSEST_HTTP_SHUTDOWN_TIMEOUT_MS);
  sendSecurityHeaders(http);
  serveDocs(app);
  serveConsole(app);
  serveIcon(app);
  refuseMcpSessions(app);
  const unused = unusedConnections(app.getHttpServer());
  await app.init();
  await issueFirstKey(keeper);
  const { PALIMPSEST_HTTP_HOST: host, PALIMPSEST_HTTP_PORT: port } = config;
  await app.listen(port, host).catch((error: unknown) => {
    throw listenFailure(error, host, port);
  });
  palimpsest.runInBackground(config.PALIMPSEST_ROLES.filter((role) => role !== 'api'));
  const close = (): Promise<void> => {
    unused.close();
    return closeGracefully();
  };
  const url = await app.getUrl();
  const signInLink = (session?: string): string => {
    const place = session === undefined ? '' : `?to=${encodeURIComponent(`#/sessions/${session}`)}`;
    return `${url}/console/#/sign-in/${app.get(OneTimeCodes).issue()}${place}`;
  };
  return { url, palimpsest, close, signInLink };
};

const adapterFor = (config: AppConfig): FastifyAdapter => {
  const headersMs = config.PALIMPSEST_HTTP_HEADERS_TIMEOUT_MS;
  return new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: 'idle',
    genReqId: requestIdOf,
    keepAliveTimeout: config.PALIMPSEST_HTTP_KEEP_ALIVE_TIMEOUT_MS,
    frameworkErrors: refusePath,
    clientErrorHandler: refuseConnection,
    routerOptions: { maxParamLength: PATH_MAX },
    http: {
      headersTimeout: headersMs,
      // An import may take hours: each body has a timeout of its own.
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(headersMs / 2, CHECK_EVERY_MS),
    },
  });
};

const listenFailure = (error: unknown, host: string, port: number): unknown => {
  const code = codeOf(error);
  if (code === 'EADDRINUSE')
    return new AppError('port-in-use', `port ${port} is in use: set PALIMPSEST_HTTP_PORT to another, or 0`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EACCES')
    return new AppError('host-unusable', `cannot listen on ${host}:${port}: set PALIMPSEST_HTTP_HOST`);
  return error;
};
