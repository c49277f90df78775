import { type ClientRequest, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { WebhookAnswer, WebhookCall } from '@app/ports';
import { sign } from '../sign.js';
import {
  AddressForbidden,
  allowedAddresses,
  allowedLookup,
  literalIn,
  type Resolve,
  resolveByDns,
} from './addresses.js';

export type WebhookSenderOptions = {
  /** Whether private and loopback addresses may be called. */
  readonly allowPrivate: boolean;
  /** Timeout of one attempt, from the DNS lookup to the status of the answer, in milliseconds. */
  readonly timeLimitMs: number;
  readonly resolve?: Resolve;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
};

/**
 * Makes one delivery attempt, signed by Standard Webhooks. Only status 2xx counts as delivered: redirects would
 * bypass the registered address and are not followed. Reads only status and `Retry-After`. Each attempt has its own
 * connection, so that its address is checked.
 */
export const sendWebhook = (
  call: WebhookCall,
  options: WebhookSenderOptions,
  stop?: AbortSignal,
): Promise<WebhookAnswer> => {
  const { allowPrivate, timeLimitMs, resolve = resolveByDns, now = Date.now } = options;
  const url = new URL(call.url);
  const literal = literalIn(url);
  const isAllowed = allowedAddresses(allowPrivate);
  if (literal !== undefined && !isAllowed(literal)) {
    return Promise.resolve({ kind: 'unreachable', reason: 'address-forbidden' });
  }
  const late = AbortSignal.timeout(timeLimitMs);
  const signal = stop ? AbortSignal.any([late, stop]) : late;
  const send = url.protocol === 'https:' ? requestSecure : requestPlain;
  return new Promise((answer) => {
    const request: ClientRequest = send(url, {
      method: 'POST',
      agent: false,
      signal,
      headers: headersOf(call, Math.floor(now() / 1_000)),
      lookup: allowedLookup(resolve, isAllowed),
    });
    request.on('error', (error) => answer({ kind: 'unreachable', reason: reasonOf(error, late) }));
    request.on('response', (response) => {
      answer(answerOf(response.statusCode ?? 0, response.headers['retry-after'], now()));
      response.destroy();
    });
    request.end(call.body);
  });
};

const headersOf = ({ id, body, secrets }: WebhookCall, timestamp: number) => ({
  'content-type': 'application/cloudevents+json; charset=utf-8',
  'content-length': Buffer.byteLength(body),
  'user-agent': 'palimpsest',
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': secrets.map((secret) => sign(secret, id, timestamp, body)).join(' '),
});

const answerOf = (status: number, retryAfter: string | undefined, now: number): WebhookAnswer => {
  if (status >= 200 && status < 300) return { kind: 'delivered', status };
  const retryAfterMs = retryAfterOf(retryAfter, now);
  return { kind: 'refused', status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
};

/** Parses seconds or a date; `undefined` for other text. */
const retryAfterOf = (text: string | undefined, now: number): number | undefined => {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};

const reasonOf = (error: Error, signal: AbortSignal) => {
  if (error instanceof AddressForbidden) return 'address-forbidden';
  return signal.aborted ? 'timed-out' : 'connection-failed';
};
