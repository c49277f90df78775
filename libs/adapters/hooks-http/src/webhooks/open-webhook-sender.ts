import { AppError } from '@app/kernel';
import type { WebhookSender } from '@app/ports';
import { AddressForbidden, allowedAddresses, requireAllowedUrl } from './addresses.js';
import { sendWebhook, type WebhookSenderOptions } from './send-webhook.js';

/** Returns a sender of webhooks over HTTP: to public addresses only by default, and never to metadata services. */
export const openWebhookSender = (options: WebhookSenderOptions): WebhookSender => ({
  send: (call, signal) => sendWebhook(call, options, signal),
  requireAllowed: async (url) => {
    const isAllowed = allowedAddresses(options.allowPrivate);
    const target = new URL(url);
    // An unknown name may belong to the local network: it is resolved at each attempt.
    const isLater = (cause: unknown): boolean => options.allowPrivate && !(cause instanceof AddressForbidden);
    await requireAllowedUrl(target, isAllowed, options.resolve).catch((cause: unknown) => {
      if (isLater(cause)) return;
      const message =
        'the URL does not lead to allowed addresses alone, or its name is not known: give a public address';
      throw new AppError('address-forbidden', message, { cause });
    });
  },
});
