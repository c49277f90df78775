import type { Palimpsest } from '@app/platform';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AsyncApiModule } from './asyncapi/asyncapi.module.js';
import { AuditRoutesModule } from './audit/audit.module.js';
import { CompactionRoutesModule } from './compactions/compactions.module.js';
import { ErrorPagesModule } from './errors/errors.module.js';
import { GatewayRoutesModule } from './gateway/gateway.module.js';
import { AccessGuard } from './http/access.guard.js';
import { IdempotencyInterceptor } from './http/conditions/idempotency.interceptor.js';
import { RevisionInterceptor } from './http/conditions/revision.interceptor.js';
import { ContentInterceptor } from './http/content/content.interceptor.js';
import { ContentReads } from './http/content/content-reads.js';
import { ProblemFilter } from './http/problem.filter.js';
import { Allowance } from './limits/allowance.js';
import { ModelRoutesModule } from './models/models.module.js';
import { OperatingRoutesModule } from './operating/operating.module.js';
import { ProjectionRoutesModule } from './projections/projections.module.js';
import { SecretRoutesModule } from './secrets/secrets.module.js';
import { SessionRoutesModule } from './sessions/sessions.module.js';
import { StreamRoutesModule } from './streaming/streaming.module.js';
import { SummarizerRoutesModule } from './summarizers/summarizers.module.js';
import {
  EVENT_HUB,
  FACTS_OF,
  GATEWAY,
  GATEWAY_PROFILE,
  GATEWAY_RECALL,
  IDEMPOTENCY,
  IMPORTER,
  OPERATIONS,
  OUTCOMES,
  READ_MODELS,
  STREAM_PACE,
} from './symbols.js';
import { TenantRoutesModule } from './tenants/tenants.module.js';
import { WebhookRoutesModule } from './webhooks/webhooks.module.js';

/** What the API is made on: a started Palimpsest, and what each tenant may take of it. */
export type ApiParts = {
  readonly palimpsest: Palimpsest;
  readonly allowance: Allowance;
  /** How often a stream says that it is alive, where nothing else happens. */
  readonly heartbeatMs: number;
  /** The profile of sessions that clients of the gateway begin without naming one. */
  readonly gatewayProfile: string;
  /** Whether those sessions have the recall tool, where neither client nor profile says. */
  readonly gatewayRecall: boolean;
};

/** A request whose holder is gone waits so long for another. */
const LEASE_MS = 15_000;

@Module({})
class PartsModule {}

/** The parts, for whoever asks for them by name. */
const partsModule = ({
  palimpsest,
  allowance,
  heartbeatMs,
  gatewayProfile,
  gatewayRecall,
}: ApiParts): DynamicModule => ({
  module: PartsModule,
  global: true,
  providers: [
    { provide: CommandBus, useValue: palimpsest.commands },
    { provide: QueryBus, useValue: palimpsest.queries },
    { provide: READ_MODELS, useValue: palimpsest.readModels },
    { provide: OPERATIONS, useValue: palimpsest.operations },
    { provide: IMPORTER, useValue: palimpsest.importer },
    { provide: OUTCOMES, useValue: palimpsest.outcomes },
    { provide: IDEMPOTENCY, useValue: { keys: palimpsest.idempotencyKeys, leaseMs: LEASE_MS } },
    { provide: EVENT_HUB, useValue: palimpsest.hub },
    { provide: FACTS_OF, useValue: palimpsest.factsOf },
    { provide: GATEWAY, useValue: palimpsest.gateway },
    { provide: GATEWAY_PROFILE, useValue: gatewayProfile },
    { provide: GATEWAY_RECALL, useValue: gatewayRecall },
    { provide: STREAM_PACE, useValue: { heartbeatMs } },
    { provide: Allowance, useValue: allowance },
    ContentReads,
  ],
  exports: [
    ContentReads,
    CommandBus,
    QueryBus,
    READ_MODELS,
    OPERATIONS,
    IMPORTER,
    OUTCOMES,
    IDEMPOTENCY,
    EVENT_HUB,
    FACTS_OF,
    GATEWAY,
    GATEWAY_PROFILE,
    GATEWAY_RECALL,
    STREAM_PACE,
    Allowance,
  ],
});

/** All that is a tenant's, under /v1 and /gateway: test/api/isolation.spec.ts finds the endpoints in them. */
export const ROUTE_MODULES: readonly Type[] = [
  SessionRoutesModule,
  CompactionRoutesModule,
  AuditRoutesModule,
  ProjectionRoutesModule,
  StreamRoutesModule,
  TenantRoutesModule,
  SummarizerRoutesModule,
  SecretRoutesModule,
  WebhookRoutesModule,
  GatewayRoutesModule,
  ModelRoutesModule,
];

/** What anybody may ask, without a key: nothing in it is a tenant's. */
export const PUBLIC_MODULES: readonly Type[] = [OperatingRoutesModule, AsyncApiModule, ErrorPagesModule];

export const apiModule = (parts: ApiParts) => {
  @Module({
    imports: [partsModule(parts), ...PUBLIC_MODULES, ...ROUTE_MODULES],
    providers: [
      { provide: APP_GUARD, useClass: AccessGuard },
      // The first is the outermost: what is kept of an answer has its revision, and text that not every key may read.
      { provide: APP_INTERCEPTOR, useClass: ContentInterceptor },
      { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
      { provide: APP_INTERCEPTOR, useClass: RevisionInterceptor },
      { provide: APP_FILTER, useClass: ProblemFilter },
    ],
  })
  class ApiModule {}
  return ApiModule;
};
