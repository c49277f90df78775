import { type AppConfig, type Closers, Palimpsest, PalimpsestModule } from '@app/platform';
import type { Access } from '@app/ports';
import { type DynamicModule, type FactoryProvider, Module, type Provider, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AsyncApiModule } from './asyncapi/asyncapi.module.js';
import { AuditRoutesModule } from './audit/audit.module.js';
import { CompactionRoutesModule } from './compactions/compactions.module.js';
import { ErasureRoutesModule } from './erasures/erasures.module.js';
import { ErrorPagesModule } from './errors/errors.module.js';
import { GatewayRoutesModule } from './gateway/gateway.module.js';
import { AccessGuard } from './http/access.guard.js';
import { Allowance } from './http/allowance/allowance.js';
import { OneTimeCodes } from './http/browser/one-time-codes.js';
import { SessionCookies } from './http/browser/session-cookies.js';
import { IdempotencyInterceptor } from './http/conditions/idempotency.interceptor.js';
import { RevisionInterceptor } from './http/conditions/revision.interceptor.js';
import { ContentInterceptor } from './http/content/content.interceptor.js';
import { ContentReads } from './http/content/content-reads.js';
import { ProblemFilter } from './http/problem.filter.js';
import { McpRoutesModule } from './mcp/mcp.module.js';
import { ModelRoutesModule } from './models/models.module.js';
import { OperatingRoutesModule } from './operations/operating.module.js';
import { ProjectionRoutesModule } from './projections/projections.module.js';
import { ProtectionRoutesModule } from './protection/protection.module.js';
import { SecretRoutesModule } from './secrets/secrets.module.js';
import { SessionPageModule } from './session-page/session-page.module.js';
import { SessionRoutesModule } from './sessions/sessions.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { StreamRoutesModule } from './streams/streaming.module.js';
import { SummarizerRoutesModule } from './summarizers/summarizers.module.js';
import {
  ACCESS,
  EVENT_HUB,
  FACTS_OF,
  GATEWAY,
  GATEWAY_PROFILE,
  GATEWAY_RECALL,
  IDEMPOTENCY,
  IMPORTER,
  OPERATIONS,
  OUTCOMES,
  OWN_WITNESS,
  READ_MODELS,
  SECRET_BOX,
  STREAM_PACE,
  TRANSPARENCY_LOGS,
} from './symbols.js';
import { TenantRoutesModule } from './tenants/tenants.module.js';
import { TransparencyRoutesModule } from './transparency/transparency.module.js';
import { WebhookRoutesModule } from './webhooks/webhooks.module.js';
import { WitnessRoutesModule } from './witness/witness.module.js';

/**
 * Milliseconds until another process may take over a keyed request whose holder does not respond. A retry waits for it
 * after a crash, and the service is to recover within 30 seconds.
 */
const LEASE_MS = 5_000;

@Module({})
class EngineModule {}

const part = <Provided>(
  provide: Type<Provided> | symbol,
  of: (palimpsest: Palimpsest) => Provided,
): FactoryProvider<Provided> => ({ provide, useFactory: of, inject: [Palimpsest] });

const tokenOf = (provider: Provider) => (typeof provider === 'function' ? provider : provider.provide);

/** The engine, and the parts of it that controllers inject. */
const engineModule = (config: AppConfig, closers: Closers, access: () => Access): DynamicModule => {
  const providers: Provider[] = [
    part(CommandBus, ({ commands }) => commands),
    part(QueryBus, ({ queries }) => queries),
    part(READ_MODELS, ({ readModels }) => readModels),
    part(OPERATIONS, ({ operations }) => operations),
    part(IMPORTER, ({ importer }) => importer),
    part(OUTCOMES, ({ outcomes }) => outcomes),
    part(IDEMPOTENCY, ({ idempotencyKeys }) => ({ keys: idempotencyKeys, leaseMs: LEASE_MS })),
    part(SECRET_BOX, ({ secretBox }) => secretBox),
    { provide: ACCESS, useValue: access },
    SessionCookies,
    OneTimeCodes,
    part(EVENT_HUB, ({ hub }) => hub),
    part(FACTS_OF, ({ factsOf }) => factsOf),
    part(TRANSPARENCY_LOGS, ({ transparencyLogs }) => transparencyLogs),
    part(OWN_WITNESS, ({ ownWitness }) => ownWitness),
    part(GATEWAY, ({ gateway }) => gateway),
    part(Allowance, ({ queries }) => new Allowance(queries)),
    { provide: GATEWAY_PROFILE, useValue: config.PALIMPSEST_GATEWAY_PROFILE },
    { provide: GATEWAY_RECALL, useValue: config.PALIMPSEST_GATEWAY_RECALL === 'on' },
    { provide: STREAM_PACE, useValue: { heartbeatMs: config.PALIMPSEST_STREAM_HEARTBEAT_MS } },
    part(ContentReads, ({ commands, queries }) => {
      const reads = new ContentReads(commands, queries);
      closers.add(() => reads.recorded());
      return reads;
    }),
  ];
  const engine = PalimpsestModule.forRoot(config, {}, closers);
  return {
    module: EngineModule,
    global: true,
    imports: [engine],
    providers,
    exports: providers.map(tokenOf),
  };
};

/** The routes of tenants, under /v1 and /gateway; test/api/isolation.spec.ts finds their endpoints here. */
export const ROUTE_MODULES: readonly Type[] = [
  SessionPageModule,
  SessionRoutesModule,
  CompactionRoutesModule,
  ErasureRoutesModule,
  AuditRoutesModule,
  ProjectionRoutesModule,
  StreamRoutesModule,
  TenantRoutesModule,
  SummarizerRoutesModule,
  SecretRoutesModule,
  ProtectionRoutesModule,
  WebhookRoutesModule,
  GatewayRoutesModule,
  McpRoutesModule,
  ModelRoutesModule,
  TransparencyRoutesModule,
];

/** The routes without a key. */
export const PUBLIC_MODULES: readonly Type[] = [
  OperatingRoutesModule,
  AsyncApiModule,
  ErrorPagesModule,
  SignInModule,
  WitnessRoutesModule,
];

/**
 * The API in one container with the engine; the creation of the application starts both.
 *
 * @param access returns the directory of API keys, which opens after the engine.
 */
export const apiModule = (config: AppConfig, closers: Closers, access: () => Access): Type => {
  @Module({
    imports: [engineModule(config, closers, access), ...PUBLIC_MODULES, ...ROUTE_MODULES],
    providers: [
      { provide: APP_GUARD, useClass: AccessGuard },
      // The first is the outermost: a stored answer includes its revision, and text that a key may not be allowed to read.
      { provide: APP_INTERCEPTOR, useClass: ContentInterceptor },
      { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
      { provide: APP_INTERCEPTOR, useClass: RevisionInterceptor },
      { provide: APP_FILTER, useClass: ProblemFilter },
    ],
  })
  class ApiModule {}
  return ApiModule;
};
