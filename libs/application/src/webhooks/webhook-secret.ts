import { randomBytes, randomInt } from 'node:crypto';
import { WebhookId } from '@app/kernel';

const SECRET_BYTES = 32;
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Creates a secret in the form of Standard Webhooks: `whsec_` and Base64. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

export const newWebhookId = (): WebhookId =>
  WebhookId(`wh_${Array.from({ length: 12 }, () => DIGITS[randomInt(DIGITS.length)]).join('')}`);
