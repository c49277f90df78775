import { setTimeout as delay } from 'node:timers/promises';
import { openWebhookSender } from '@app/adapters/hooks-http';
import {
  auditPayload,
  DatabaseClock,
  openWebhookDeliveries,
  openWebhookSecrets,
} from '@app/adapters/read-model-postgres';
import { runWebhooks, type WebhookPace } from '@app/application';
import type { WebhookDeliveries } from '@app/ports';
import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { factoryProvider } from '../../providers.js';
import {
  APP_CONFIG,
  DATABASE,
  EVENT_LOG,
  METRICS,
  ON_PROBLEM,
  SECRET_BOX,
  SUBSCRIPTIONS,
  WEBHOOK_DELIVERIES,
  WEBHOOK_RUN,
  WEBHOOK_SECRETS,
  WEBHOOK_SENDER,
} from '../../symbols.js';
import { DatabaseModule } from '../database.module.js';
import { EventStoreModule } from '../event-store.module.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { TenantsModule } from '../tenants/tenants.module.js';

const RUN = {
  log: EVENT_LOG,
  deliveries: WEBHOOK_DELIVERIES,
  secrets: WEBHOOK_SECRETS,
  sender: WEBHOOK_SENDER,
  onProblem: ON_PROBLEM,
  metrics: METRICS,
  database: DATABASE,
} as const;

/** Wraps the deliveries so that due ones are selected by the clock of the database. */
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

/** Webhooks: their settings, and the sender of deliveries. */
@Module({
  imports: [CqrsModule, EventStoreModule, DatabaseModule, SecretsModule, TenantsModule],
  providers: [
    factoryProvider(WEBHOOK_SENDER, { config: APP_CONFIG }, ({ config }) =>
      openWebhookSender({
        allowPrivate: config.PALIMPSEST_WEBHOOK_ALLOW_PRIVATE,
        timeLimitMs: config.PALIMPSEST_WEBHOOK_TIMEOUT_MS,
      }),
    ),
    factoryProvider(WEBHOOK_SECRETS, { database: DATABASE, box: SECRET_BOX }, ({ database, box }) =>
      openWebhookSecrets(database, box),
    ),
    factoryProvider(
      WEBHOOK_DELIVERIES,
      { database: DATABASE, subscriptions: SUBSCRIPTIONS, onProblem: ON_PROBLEM },
      ({ database, subscriptions, onProblem }) =>
        openWebhookDeliveries(database, subscriptions, onProblem('webhooks')),
    ),
    factoryProvider(
      WEBHOOK_RUN,
      RUN,
      ({ database, deliveries, onProblem, metrics, ...parts }) =>
        (signal) => {
          const clock = new DatabaseClock(database);
          return runWebhooks(
            {
              ...parts,
              deliveries: timedBy(clock, deliveries),
              factsOf: auditPayload,
              onError: onProblem('webhooks'),
              onTried: (tried) => metrics.webhookTried(tried),
              pace: realPace,
              now: clock.now,
              random: Math.random,
            },
            signal,
          );
        },
    ),
  ],
  exports: [WEBHOOK_RUN, WEBHOOK_DELIVERIES, WEBHOOK_SECRETS, WEBHOOK_SENDER],
})
export class WebhooksModule {}

/** Milliseconds between polls for deliveries that another process has replayed. */
const LOOK_AGAIN_AFTER_MS = 1_000;

const realPace: WebhookPace = {
  pause: (milliseconds, signal) =>
    delay(Math.min(milliseconds, LOOK_AGAIN_AFTER_MS), undefined, { signal }).catch(() => undefined),
};
