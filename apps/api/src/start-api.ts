import { AppError } from '@app/kernel';
import type { Access } from '@app/ports';
import helmet from '@fastify/helmet';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type ApiParts, apiModule } from './api.module.js';
import type { BodyTimeouts } from './http/entry/arrivals.js';
import { BODY_BYTES_MAX, Bodies } from './http/entry/bodies.js';
import type { BodyBounds } from './http/entry/body-budget.js';
import { guardEntry } from './http/entry/entry.js';
import { gracefulClose } from './http/server/closing.js';
import { writeLargeAnswersInSlices } from './http/server/large-answers.js';
import { refuseUnusableBodies } from './http/server/limits.js';
import { refuseConnection, refusePath } from './http/server/unroutable.js';
import { unusedConnections } from './http/server/unused-connections.js';
import { Allowance } from './limits/allowance.js';
import { serveIcon } from './openapi/icon.js';
import { serveDocs } from './openapi/serve-docs.js';
import { observeRequests, requestIdOf } from './operating/observe-requests.js';

/** Bounds for requests: times in milliseconds, bodies in bytes. */
export type HttpBounds = BodyTimeouts &
  BodyBounds & {
    readonly headersMs: number;
    readonly keepAliveMs: number;
    readonly stopMs: number;
  };
export type ApiOptions = Omit<ApiParts, 'allowance'> & {
  readonly bounds: HttpBounds;
  /** Who tells whose keys they are. */
  readonly access: Access;
  readonly host: string /** 0 takes any free one. */;
  readonly port: number;
};
export type Api = {
  /** Such as `http://127.0.0.1:8420`. */
  readonly url: string;
  /** Takes no new request, and waits for those under way. */
  close(): Promise<void>;
};

/** Characters of an id in a path: more than a head has room for, so that each id is judged by the rule of its kind. */
const PATH_MAX = 16_384;
/** How often connections are looked at whose request has not begun; milliseconds. */
const CHECK_EVERY_MS = 5_000;

/**
 * Serves the API over HTTP.
 *
 * @throws {AppError} `port-in-use`, `host-unusable`.
 */
export const startApi = async ({ host, port, bounds, access, ...parts }: ApiOptions): Promise<Api> => {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: 'idle',
    genReqId: requestIdOf,
    keepAliveTimeout: bounds.keepAliveMs,
    frameworkErrors: refusePath,
    clientErrorHandler: refuseConnection,
    routerOptions: { maxParamLength: PATH_MAX },
    http: {
      headersTimeout: bounds.headersMs,
      // An import may take hours: each body is timed by itself.
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(bounds.headersMs / 2, CHECK_EVERY_MS),
    },
  });
  const allowance = new Allowance(parts.palimpsest.queries);
  const bodies = new Bodies(bounds, bounds);
  observeRequests(adapter.getInstance(), parts.palimpsest.operations.metrics);
  const app = await NestFactory.create<NestFastifyApplication>(apiModule({ ...parts, allowance }), adapter, {
    logger: false,
    abortOnError: false,
    bodyParser: false,
  });
  guardEntry(app, { access, allowance, bodies });
  refuseUnusableBodies(app);
  writeLargeAnswersInSlices(adapter.getInstance());
  const closeGracefully = gracefulClose(app, bodies, bounds.stopMs);
  await app.register(helmet, { contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });
  serveDocs(app);
  serveIcon(app);
  const unused = unusedConnections(app.getHttpServer());
  try {
    await app.listen(port, host);
  } catch (error) {
    await app.close();
    throw listenFailure(error, host, port);
  }
  const close = (): Promise<void> => {
    unused.close();
    return closeGracefully();
  };
  return { url: await app.getUrl(), close };
};

const listenFailure = (error: unknown, host: string, port: number): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new AppError('port-in-use', `port ${port} is in use: set PALIMPSEST_HTTP_PORT to another, or 0`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EACCES')
    return new AppError('host-unusable', `cannot listen on ${host}:${port}: set PALIMPSEST_HTTP_HOST`);
  return error;
};
