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
import { part } from './parts.js';

/** Webhooks: their settings, and the sender of deliveries. */
export const WEBHOOKS = [
  part('sender', ['config'], ({ config }) =>
    openWebhookSender({
      allowPrivate: config.PALIMPSEST_WEBHOOK_ALLOW_PRIVATE,
      timeLimitMs: config.PALIMPSEST_WEBHOOK_TIMEOUT_MS,
    }),
  ),
  part('webhookSecrets', ['database', 'box'], ({ database, box }) => openWebhookSecrets(database, box)),
  part('deliveries', ['database', 'subscriptions', 'onProblem'], ({ database, subscriptions, onProblem }) =>
    openWebhookDeliveries(database, subscriptions, onProblem('webhooks')),
  ),
  part(
    'sendToWebhooks',
    ['log', 'deliveries', 'webhookSecrets', 'sender', 'onProblem', 'metrics', 'database'],
    ({ log, deliveries, webhookSecrets, sender, onProblem, metrics, database }) =>
      (signal) => {
        const clock = new DatabaseClock(database);
        return runWebhooks(
          {
            log,
            secrets: webhookSecrets,
            sender,
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
];

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

/** Milliseconds between polls for deliveries that another process has replayed. */
const LOOK_AGAIN_AFTER_MS = 1_000;

const realPace: WebhookPace = {
  pause: (milliseconds, signal) =>
    delay(Math.min(milliseconds, LOOK_AGAIN_AFTER_MS), undefined, { signal }).catch(() => undefined),
};
