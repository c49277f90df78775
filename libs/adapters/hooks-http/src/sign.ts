import { createHmac } from 'node:crypto';

/** What stands before the base64 of a secret, so that it is known for one. */
const SECRET_PREFIX = 'whsec_';

/** The signature of a message by the Standard Webhooks scheme: whoever has the secret can tell who sent it, and when. */
export const sign = (secret: string, id: string, timestamp: number, body: string): string => {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
};
