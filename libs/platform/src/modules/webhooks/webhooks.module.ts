import type { OpenEventStore } from '@app/adapters/event-store-db';
import { openWebhookSender } from '@app/adapters/hooks-http';
import {
  auditPayload,
  DatabaseClock,
  openWebhookDeliveries,
  openWebhookSecrets,
  type ReadModelDatabase,
} from '@app/adapters/read-model-postgres';
import {
  ChangeWebhookHandler,
  ListDeliveriesHandler,
  ListWebhooksHandler,
  RegisterWebhookHandler,
  RemoveWebhookHandler,
  ReplayDeliveryHandler,
  RotateWebhookSecretHandler,
  runWebhooks,
  SkipDeliveryHandler,
  TenantStore,
  TestWebhookHandler,
  type Tried,
} from '@app/application';
import type { SecretBox, WebhookDeliveries, WebhookSecrets, WebhookSender } from '@app/ports';
import { Module, type Type } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { AppConfig } from '../../config.js';
import {
  APP_CONFIG,
  CLOCK,
  DATABASE,
  EVENT_STORE,
  METRICS,
  ON_PROBLEM,
  SECRET_BOX,
  WEBHOOK_DELIVERIES,
  WEBHOOK_RUN,
  WEBHOOK_SECRETS,
  WEBHOOK_SENDER,
} from '../../symbols.js';
import type { Metrics } from '../../telemetry/metrics.js';
import { DatabaseModule } from '../database.module.js';
import { EventStoreModule } from '../event-store.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import type { OnProblem } from '../settings.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';
import { realPace } from './real-pace.js';

/** Sends what is recorded to webhooks, until the signal aborts. */
export type WebhookRun = (signal: AbortSignal) => Promise<void>;

/** A handler that Nest builds from what it names: the application knows nothing of Nest's injection. */
const handler = (provide: Type, ...inject: (Type | symbol)[]) => ({
  provide,
  useFactory: (...parts: unknown[]) => new provide(...parts),
  inject,
});

const webhookRun =
  (
    { log }: OpenEventStore,
    deliveries: WebhookDeliveries,
    secrets: WebhookSecrets,
    sender: WebhookSender,
    onProblem: OnProblem,
    metrics: Metrics,
    database: ReadModelDatabase,
  ): WebhookRun =>
  (signal) => {
    const clock = new DatabaseClock(database);
    const timed = timedBy(clock, deliveries);
    const parts = { log, secrets, sender, factsOf: auditPayload, onError: onProblem('webhooks') };
    const onTried = (tried: Tried): void => metrics.webhookTried(tried);
    return runWebhooks(
      { ...parts, deliveries: timed, onTried, pace: realPace, now: clock.now, random: Math.random },
      signal,
    );
  };

/** What is due is told by the clock of the database, which is asked before each look. */
const timedBy = (clock: DatabaseClock, { hold }: WebhookDeliveries): Pick<WebhookDeliveries, 'hold'> => ({
  hold: (signal, work) =>
    hold(signal, (held) => {
      const heads = async (): ReturnType<typeof held.heads> => {
        await clock.refresh();
        return held.heads();
      };
      return work({ ...held, heads });
    }),
});

/** Webhooks: their settings over the bus, and what sends to them. */
@Module({
  imports: [CqrsModule, EventStoreModule, DatabaseModule, SecretsModule, TenantsModule],
  providers: [
    {
      provide: WEBHOOK_SENDER,
      useFactory: (config: AppConfig): WebhookSender =>
        openWebhookSender({
          allowPrivate: config.PALIMPSEST_WEBHOOK_ALLOW_PRIVATE,
          timeLimitMs: config.PALIMPSEST_WEBHOOK_TIMEOUT_MS,
        }),
      inject: [APP_CONFIG],
    },
    {
      provide: WEBHOOK_SECRETS,
      useFactory: (database: ReadModelDatabase, box: SecretBox): WebhookSecrets =>
        openWebhookSecrets(database, box),
      inject: [DATABASE, SECRET_BOX],
    },
    {
      provide: WEBHOOK_DELIVERIES,
      useFactory: (
        database: ReadModelDatabase,
        { subscriptions }: OpenEventStore,
        onProblem: OnProblem,
      ): WebhookDeliveries => openWebhookDeliveries(database, subscriptions, onProblem('webhooks')),
      inject: [DATABASE, EVENT_STORE, ON_PROBLEM],
    },
    {
      provide: WEBHOOK_RUN,
      useFactory: webhookRun,
      inject: [
        EVENT_STORE,
        WEBHOOK_DELIVERIES,
        WEBHOOK_SECRETS,
        WEBHOOK_SENDER,
        ON_PROBLEM,
        METRICS,
        DATABASE,
      ],
    },
    handler(RegisterWebhookHandler, TenantStore, WEBHOOK_SECRETS, WEBHOOK_SENDER, CLOCK),
    handler(ChangeWebhookHandler, TenantStore, WEBHOOK_SENDER),
    handler(RemoveWebhookHandler, TenantStore),
    handler(RotateWebhookSecretHandler, TenantStore, WEBHOOK_SECRETS, CLOCK),
    handler(TestWebhookHandler, TenantStore, WEBHOOK_SECRETS, WEBHOOK_SENDER, CLOCK),
    handler(SkipDeliveryHandler, TenantStore, WEBHOOK_DELIVERIES),
    handler(ReplayDeliveryHandler, TenantStore, WEBHOOK_DELIVERIES, CLOCK),
    handler(ListWebhooksHandler, TenantStore),
    handler(ListDeliveriesHandler, TenantStore, WEBHOOK_DELIVERIES),
  ],
  exports: [WEBHOOK_RUN, WEBHOOK_DELIVERIES],
})
export class WebhooksModule {}
