import { EventHub } from '@app/application';
import { invariant } from '@app/kernel';
import { type AppConfig, type Closers, Operations, Palimpsest, PalimpsestModule } from '@app/platform';
import type { Access } from '@app/ports';
import {
  type DynamicModule,
  type FactoryProvider,
  Module,
  type Provider,
  type Type,
  UseInterceptors,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { GetAsyncApiController } from './asyncapi/get-asyncapi.controller.js';
import { AuditController } from './audit/audit.controller.js';
import { AuditReads } from './audit/audit-reads.js';
import { CompactionsController } from './compactions/compactions.controller.js';
import { RequestCompactionController } from './compactions/request-compaction.controller.js';
import { ErasuresController } from './erasures/erasures.controller.js';
import { ShowErrorController } from './errors/show-error.controller.js';
import { GatewayController } from './gateway/gateway.controller.js';
import { GatewayEntry } from './gateway/gateway-entry.js';
import { AccessGuard } from './http/access.guard.js';
import { Allowance } from './http/allowance/rate-limits.js';
import { AnswerInterceptor } from './http/answer.interceptor.js';
import { OneTimeCodes } from './http/browser/one-time-codes.js';
import { SessionCookies } from './http/browser/session-cookies.js';
import { Idempotency } from './http/conditions/idempotency.js';
import { ContentReads } from './http/content/content-reads.js';
import { endpointOf } from './http/endpoint.js';
import { ProblemFilter } from './http/problem.filter.js';
import { McpController } from './mcp/mcp.controller.js';
import { ModelsController } from './models/models.controller.js';
import { HealthController } from './operations/health.controller.js';
import { MetricsController } from './operations/metrics.controller.js';
import { ProjectionsController } from './projections/projections.controller.js';
import { LegalHoldsController } from './protection/legal-holds.controller.js';
import { RetentionController } from './protection/retention.controller.js';
import { SecretsController } from './secrets/secrets.controller.js';
import { ExportSessionPageController } from './session-page/export-session-page.controller.js';
import { ImportTranscriptController } from './sessions/lifecycle/import-transcript.controller.js';
import { LifecycleController } from './sessions/lifecycle/lifecycle.controller.js';
import { MessagesController } from './sessions/messages/messages.controller.js';
import { ContextsController } from './sessions/reads/contexts.controller.js';
import { ExportSessionController } from './sessions/reads/export-session.controller.js';
import { ReadMessagesController } from './sessions/reads/messages.controller.js';
import { ProfilesController } from './sessions/reads/profiles.controller.js';
import { ReadEventsController } from './sessions/reads/read-events.controller.js';
import { ReadSessionsController } from './sessions/reads/sessions.controller.js';
import { RequestsController } from './sessions/requests/requests.controller.js';
import { SettingsController } from './sessions/settings/settings.controller.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { StreamEventsController } from './streams/stream-events.controller.js';
import { PromptsController } from './summarizers/prompts.controller.js';
import { SummarizersController } from './summarizers/summarizers.controller.js';
import { ACCESS, GATEWAY, GATEWAY_PROFILE, GATEWAY_RECALL, SECRET_BOX, STREAM_PACE } from './symbols.js';
import { KeysController } from './tenants/keys.controller.js';
import { LimitsController } from './tenants/limits.controller.js';
import { TenantsController } from './tenants/tenants.controller.js';
import { ExportProofController } from './transparency/export-proof.controller.js';
import { LogController } from './transparency/log.controller.js';
import { VerifyLiveController } from './transparency/verify-live.controller.js';
import { DeliveriesController } from './webhooks/deliveries.controller.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { WitnessController } from './witness/witness.controller.js';

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
    part(Operations, ({ operations }) => operations),
    part(Idempotency, ({ idempotencyKeys, keyedDigests }) => {
      const idempotency = new Idempotency(idempotencyKeys, keyedDigests);
      closers.add(() => idempotency.stored());
      return idempotency;
    }),
    part(SECRET_BOX, ({ secretBox }) => secretBox),
    { provide: ACCESS, useValue: access },
    SessionCookies,
    OneTimeCodes,
    part(EventHub, ({ hub }) => hub),
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
    exports: [...providers.map(tokenOf), PalimpsestModule],
  };
};

/** The routes of tenants, under /v1 and /gateway; test/api/isolation.spec.ts finds their endpoints here. */
export const ROUTE_CONTROLLERS: readonly Type[] = [
  ExportSessionPageController,
  RequestsController,
  MessagesController,
  SettingsController,
  LifecycleController,
  ImportTranscriptController,
  ContextsController,
  ExportSessionController,
  ProfilesController,
  ReadEventsController,
  ReadMessagesController,
  ReadSessionsController,
  CompactionsController,
  RequestCompactionController,
  ErasuresController,
  AuditController,
  ProjectionsController,
  StreamEventsController,
  TenantsController,
  KeysController,
  LimitsController,
  PromptsController,
  SummarizersController,
  SecretsController,
  LegalHoldsController,
  RetentionController,
  WebhooksController,
  DeliveriesController,
  GatewayController,
  McpController,
  ModelsController,
  LogController,
  ExportProofController,
  VerifyLiveController,
];

/** The routes without a key. */
export const PUBLIC_CONTROLLERS: readonly Type[] = [
  HealthController,
  MetricsController,
  GetAsyncApiController,
  ShowErrorController,
  SignInController,
  WitnessController,
];

/** A global interceptor would also run where it is not wanted. */
for (const { prototype } of [...PUBLIC_CONTROLLERS, ...ROUTE_CONTROLLERS])
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    const endpoint = typeof descriptor.value === 'function' ? endpointOf(descriptor.value) : undefined;
    invariant(
      !endpoint?.answersItself || endpoint.content === 'none' || endpoint.content === 'request',
      `${name} would answer with content that no interceptor leaves out or records`,
    );
    if (endpoint && !endpoint.answersItself) UseInterceptors(AnswerInterceptor)(prototype, name, descriptor);
  }

/**
 * The API in one container with the engine; the creation of the application starts both.
 *
 * @param access returns the directory of API keys, which opens after the engine.
 */
export const apiModule = (config: AppConfig, closers: Closers, access: () => Access): Type => {
  @Module({
    imports: [engineModule(config, closers, access)],
    controllers: [...PUBLIC_CONTROLLERS, ...ROUTE_CONTROLLERS],
    providers: [
      GatewayEntry,
      AuditReads,
      { provide: APP_GUARD, useClass: AccessGuard },
      AnswerInterceptor,
      { provide: APP_FILTER, useClass: ProblemFilter },
    ],
  })
  class ApiModule {}
  return ApiModule;
};
