import { setTimeout as delay } from 'node:timers/promises';
import type { WebhookPace } from '@app/application';

/** Nobody tells of a delivery that another process has asked for again: it is looked for so often. */
const LOOK_AGAIN_AFTER_MS = 1_000;

export const realPace: WebhookPace = {
  pause: (milliseconds, signal) =>
    delay(Math.min(milliseconds, LOOK_AGAIN_AFTER_MS), undefined, { signal }).catch(() => undefined),
};
