import type { Gateway } from '@app/application';
import { DEFAULT_TENANT_LIMITS } from '@app/domain';
import { Tokens } from '@app/kernel';
import type { Access } from '@app/ports';
import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, NestFactory } from '@nestjs/core';
import { QueryBus } from '@nestjs/cqrs';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { GatewayController } from '../../../apps/api/src/gateway/gateway.controller.js';
import { GatewayEntry } from '../../../apps/api/src/gateway/gateway-entry.js';
import { AccessGuard } from '../../../apps/api/src/http/access.guard.js';
import { Allowance } from '../../../apps/api/src/http/allowance/rate-limits.js';
import { Turns } from '../../../apps/api/src/http/allowance/turns.js';
import { SessionCookies } from '../../../apps/api/src/http/browser/session-cookies.js';
import { Bodies } from '../../../apps/api/src/http/entry/bodies.js';
import { guardEntry } from '../../../apps/api/src/http/entry/entry.js';
import { ProblemFilter } from '../../../apps/api/src/http/problem.filter.js';
import { GATEWAY, GATEWAY_PROFILE, GATEWAY_RECALL } from '../../../apps/api/src/symbols.js';

const LIMITS = { ...DEFAULT_TENANT_LIMITS, tokensPerMinute: Tokens(1_000_000_000) };

const MINUTE_MS = 60_000;
const BOUNDS = { idleMs: MINUTE_MS, wholeMs: MINUTE_MS, perTenant: 2 ** 30, inAll: 2 ** 30 };

/** Clients of the gateway have no browser session. */
const NO_COOKIES = new SessionCookies({ prefix: undefined, seal: () => '', open: () => '' });

@Module({})
class PartsModule {}

/** Serves the gateway's endpoints on a free port, with the API's guard and error format. */
export const serving = async (gateway: Gateway, access: Access): Promise<NestFastifyApplication> => {
  const allowance = new Allowance({ execute: async () => LIMITS });
  const providers = [
    { provide: GATEWAY, useValue: gateway },
    { provide: GATEWAY_PROFILE, useValue: 'core' },
    { provide: GATEWAY_RECALL, useValue: false },
    { provide: Allowance, useValue: allowance },
    // Its one query finds the data subjects that a header names: there are none.
    { provide: QueryBus, useValue: { execute: async () => [] } },
  ];
  const parts = {
    module: PartsModule,
    global: true,
    providers,
    exports: [GATEWAY, GATEWAY_PROFILE, GATEWAY_RECALL, Allowance, QueryBus],
  };
  const root = {
    module: class Root {},
    imports: [parts],
    controllers: [GatewayController],
    providers: [
      GatewayEntry,
      { provide: APP_GUARD, useClass: AccessGuard },
      { provide: APP_FILTER, useClass: ProblemFilter },
    ],
  };
  const options = { logger: false, abortOnError: false, bodyParser: false } as const;
  const adapter = new FastifyAdapter({ forceCloseConnections: true });
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, options);
  guardEntry(app, {
    access,
    cookies: NO_COOKIES,
    allowance,
    turns: new Turns(),
    bodies: new Bodies(BOUNDS, BOUNDS),
  });
  await app.listen(0, '127.0.0.1');
  return app;
};
