import type { Gateway } from '@app/application';
import { DEFAULT_TENANT_LIMITS } from '@app/domain';
import { Tokens } from '@app/kernel';
import type { Access } from '@app/ports';
import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, NestFactory } from '@nestjs/core';
import { QueryBus } from '@nestjs/cqrs';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { GatewayRoutesModule } from '../../../apps/api/src/gateway/gateway.module.js';
import { AccessGuard } from '../../../apps/api/src/http/access.guard.js';
import { ProblemFilter } from '../../../apps/api/src/http/problem.filter.js';
import { streamBodies, streamGatewayBodies } from '../../../apps/api/src/http/server/streamed-body.js';
import { Allowance } from '../../../apps/api/src/limits/allowance.js';
import { ACCESS, GATEWAY, GATEWAY_PROFILE, GATEWAY_RECALL } from '../../../apps/api/src/symbols.js';

const LIMITS = { ...DEFAULT_TENANT_LIMITS, tokensPerMinute: Tokens(1_000_000_000) };

@Module({})
class PartsModule {}

/** The gateway's endpoints on a free port, with the guard and the errors that they have in the API. */
export const serving = async (gateway: Gateway, access: Access): Promise<NestFastifyApplication> => {
  const providers = [
    { provide: GATEWAY, useValue: gateway },
    { provide: GATEWAY_PROFILE, useValue: 'core' },
    { provide: GATEWAY_RECALL, useValue: false },
    { provide: ACCESS, useValue: access },
    // What a tenant may take is asked for by a query: of this one, more than any test takes.
    { provide: QueryBus, useValue: { execute: async () => LIMITS } },
    Allowance,
  ];
  const parts = {
    module: PartsModule,
    global: true,
    providers,
    exports: [GATEWAY, GATEWAY_PROFILE, GATEWAY_RECALL, ACCESS, Allowance],
  };
  const root = {
    module: class Root {},
    imports: [parts, GatewayRoutesModule],
    providers: [
      { provide: APP_GUARD, useClass: AccessGuard },
      { provide: APP_FILTER, useClass: ProblemFilter },
    ],
  };
  const options = { logger: false, abortOnError: false } as const;
  const adapter = new FastifyAdapter({ forceCloseConnections: true });
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, options);
  streamBodies(app);
  streamGatewayBodies(app);
  await app.listen(0, '127.0.0.1');
  return app;
};
