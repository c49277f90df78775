import { AppError } from '@app/kernel';
import helmet from '@fastify/helmet';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type ApiParts, apiModule } from './api.module.js';
import { gracefulClose } from './http/server/closing.js';
import { BODY_BYTES_MAX, refuseUnusableBodies } from './http/server/limits.js';
import { streamBodies, streamGatewayBodies } from './http/server/streamed-body.js';
import { unusedConnections } from './http/server/unused-connections.js';
import { serveIcon } from './openapi/icon.js';
import { serveDocs } from './openapi/serve-docs.js';
import { observeRequests, requestIdOf } from './operating/observe-requests.js';

export type ApiOptions = ApiParts & {
  readonly host: string /** 0 takes any free one. */;
  readonly port: number;
};
export type Api = {
  /** Such as `http://127.0.0.1:8420`. */
  readonly url: string;
  /** Takes no new request, and waits for those under way. */
  close(): Promise<void>;
};

/**
 * Serves the API over HTTP.
 *
 * @throws {AppError} `port-in-use`, `host-unusable`.
 */
export const startApi = async ({ host, port, ...parts }: ApiOptions): Promise<Api> => {
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: 'idle',
    genReqId: requestIdOf,
    // Names like `__proto__` are names: nothing here copies them by assignment (ADR 0093).
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
  });
  observeRequests(adapter.getInstance(), parts.palimpsest.operations.metrics);
  const app = await NestFactory.create<NestFastifyApplication>(apiModule(parts), adapter, {
    logger: false,
    abortOnError: false,
  });
  streamBodies(app);
  streamGatewayBodies(app);
  refuseUnusableBodies(app);
  const closeGracefully = gracefulClose(app);
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
