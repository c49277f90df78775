import { AppError } from '@app/kernel';
import type { WebhookSender } from '@app/ports';
import { AddressForbidden, allowedAddresses, requireAllowedUrl } from './addresses.js';
import { sendWebhook, type WebhookSenderOptions } from './send-webhook.js';

/** What sends webhooks over HTTP, to public addresses alone unless it is allowed otherwise, and never to metadata services. */
export const openWebhookSender = (options: WebhookSenderOptions): WebhookSender => ({
  send: (call, signal) => sendWebhook(call, options, signal),
  requireAllowed: async (url) => {
    const isAllowed = allowedAddresses(options.allowPrivate);
    const target = new URL(url);
    // A name that is not known yet may be one of this network: it is looked up for each try.
    const isLater = (cause: unknown): boolean => options.allowPrivate && !(cause instanceof AddressForbidden);
    await requireAllowedUrl(target, isAllowed, options.resolve).catch((cause: unknown) => {
      if (isLater(cause)) return;
      const message =
        'the URL does not lead to allowed addresses alone, or its name is not known: give a public address';
      throw new AppError('address-forbidden', message, { cause });
    });
  },
});
