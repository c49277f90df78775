import { setTimeout as delay } from 'node:timers/promises';
import type { WebhookPace } from '@app/application';

/** Milliseconds between polls for deliveries that another process has replayed. */
const LOOK_AGAIN_AFTER_MS = 1_000;

export const realPace: WebhookPace = {
  pause: (milliseconds, signal) =>
    delay(Math.min(milliseconds, LOOK_AGAIN_AFTER_MS), undefined, { signal }).catch(() => undefined),
};
