import { createHmac } from 'node:crypto';

/** Prefix of a base64 secret. */
const SECRET_PREFIX = 'whsec_';

/** Returns the signature of a message by Standard Webhooks, which authenticates sender and time. */
export const sign = (secret: string, id: string, timestamp: number, body: string): string => {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
};
