import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ErasureRunner,
  type HandlerParts,
  HeldBackErasures,
  LedgerStore,
  OutcomeWaiter,
  RequestComposer,
  RetentionDefaults,
  registeredHandlers,
  SessionStore,
  TenantStore,
} from '@app/application';
import { Module } from '@nestjs/common';
import { CommandBus, CqrsModule } from '@nestjs/cqrs';
import { type PartsOf, partsProvider } from '../providers.js';
import {
  APP_CONFIG,
  CLOCK,
  CONTENT_KEYS,
  EVENT_LOG,
  INSTALLED_MODELS,
  KEY_USES,
  MODEL_REGISTRY,
  MODELLESS_SUMMARIZER,
  PROJECTOR,
  READ_MODELS,
  SECRET_STORE,
  STORED_EVENTS,
  SUMMARIZERS,
  TENANT_LOG,
  TOKEN_COUNTER,
  TRANSPARENCY_LOGS,
  WEBHOOK_DELIVERIES,
  WEBHOOK_SECRETS,
  WEBHOOK_SENDER,
} from '../symbols.js';
import { ErasuresModule } from './erasures.module.js';
import { EventStoreModule } from './event-store.module.js';
import { ModelsModule } from './models/models.module.js';
import { TokenCounterModule } from './models/token-counter.module.js';
import { ReadModelsModule } from './read-models.module.js';
import { RetentionModule } from './retention.module.js';
import { SecretBoxModule } from './secrets/secret-box.module.js';
import { SecretsModule } from './secrets/secrets.module.js';
import { SessionsModule } from './sessions.module.js';
import { SummarizersModule } from './summarizers/summarizers.module.js';
import { ceilingsOf } from './tenants/limit-settings.js';
import { TenantsModule } from './tenants/tenants.module.js';
import { TransparencyModule } from './transparency/transparency.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

const PARTS = {
  sessions: SessionStore,
  tenants: TenantStore,
  commands: CommandBus,
  composer: RequestComposer,
  outcomes: OutcomeWaiter,
  retention: RetentionDefaults,
  erasures: HeldBackErasures,
  ledgers: LedgerStore,
  runner: ErasureRunner,
  config: APP_CONFIG,
  clock: CLOCK,
  counter: TOKEN_COUNTER,
  deliveries: WEBHOOK_DELIVERIES,
  installed: INSTALLED_MODELS,
  index: READ_MODELS,
  keyed: CONTENT_KEYS,
  keys: CONTENT_KEYS,
  log: EVENT_LOG,
  logs: TRANSPARENCY_LOGS,
  models: MODEL_REGISTRY,
  facts: MODELLESS_SUMMARIZER,
  projector: PROJECTOR,
  readModels: READ_MODELS,
  secrets: SECRET_STORE,
  sender: WEBHOOK_SENDER,
  stored: STORED_EVENTS,
  summarizers: SUMMARIZERS,
  tenantLog: TENANT_LOG,
  uses: KEY_USES,
  webhookSecrets: WEBHOOK_SECRETS,
} as const;
const HANDLER_PARTS = Symbol('HANDLER_PARTS');

const handlerParts = ({ config, ...parts }: PartsOf<typeof PARTS>): HandlerParts => ({
  ...parts,
  ceilings: ceilingsOf(config),
  engine: { version: engineVersion() },
});

/** The handlers of all commands and queries, which Nest registers on the buses. */
@Module({
  imports: [
    CqrsModule,
    ErasuresModule,
    EventStoreModule,
    ModelsModule,
    ReadModelsModule,
    RetentionModule,
    SecretBoxModule,
    SecretsModule,
    SessionsModule,
    SummarizersModule,
    TenantsModule,
    TokenCounterModule,
    TransparencyModule,
    WebhooksModule,
  ],
  providers: [
    partsProvider(HANDLER_PARTS, PARTS, handlerParts),
    ...registeredHandlers().map(({ handler, make }) => ({
      provide: handler,
      inject: [HANDLER_PARTS],
      useFactory: make,
    })),
  ],
})
export class HandlersModule {}

/** Returns the version in the `package.json` of this installation; `unknown` inside a bundle of another program. */
const engineVersion = (): string => {
  if (!import.meta.url.startsWith('file:')) return 'unknown';
  for (
    let folder = dirname(fileURLToPath(import.meta.url));
    folder !== dirname(folder);
    folder = dirname(folder)
  ) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, 'utf8'));
    if (name === 'palimpsest' && typeof version === 'string') return version;
  }
  return 'unknown';
};
