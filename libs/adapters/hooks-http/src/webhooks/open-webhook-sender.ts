import { AppError } from '@app/kernel';
import type { WebhookSender } from '@app/ports';
import { requirePublicUrl } from './addresses.js';
import { sendWebhook, type WebhookSenderOptions } from './send-webhook.js';

/** What sends webhooks over HTTP, to public addresses alone unless it is allowed otherwise. */
export const openWebhookSender = (options: WebhookSenderOptions): WebhookSender => ({
  send: (call) => sendWebhook(call, options),
  requireAllowed: async (url) => {
    if (options.allowPrivate) return;
    await requirePublicUrl(new URL(url), options.resolve).catch((cause: unknown) => {
      const message =
        'the URL does not lead to public addresses alone, or its name is not known: give another';
      throw new AppError('address-forbidden', message, { cause });
    });
  },
});
