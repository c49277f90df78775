export { httpHook } from './http-hook.js';
export { openWebhookSender } from './webhooks/open-webhook-sender.js';
