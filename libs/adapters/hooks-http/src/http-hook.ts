import type { CompactionHook } from '@app/ports';
import { readDecision } from './read-decision.js';
import { sign } from './sign.js';

export type HttpHookOptions = {
  readonly url: string;
  /** `whsec_` and at least 24 bytes as base64. */
  readonly secret: string;
  readonly timeLimitMs: number;
  /** The effect of a failing `before`. Default `open`. */
  readonly onFailure?: NonNullable<CompactionHook['onFailure']>;
  /** Whether calls include content of the session. */
  readonly content: 'none' | 'full';
  /** Milliseconds since 1970. */
  readonly now?: () => number;
};

/** The other side was reached, and does not want the call. */
class HookRefused extends Error {
  override readonly name = 'HookRefused';
}

/**
 * Returns a hook that calls an HTTP endpoint, signed by Standard Webhooks. Calls are not retried: a failing `before`
 * is ignored or fails the compaction by `onFailure`, and outcomes are in the log.
 */
export const httpHook = (options: HttpHookOptions): CompactionHook => {
  const wantsContent = options.content === 'full';
  return {
    name: 'http',
    timeLimitMs: options.timeLimitMs,
    onFailure: options.onFailure ?? 'open',
    before: async (plan, content, signal) => {
      // A new plan has a new id, because receivers deduplicate by id.
      const id = `${plan.compactionId}-before-${plan.inputHash.slice(0, 16)}`;
      const data = { ...plan, ...(wantsContent && { content }) };
      return readDecision(await post(options, { id, type: 'compaction.before', data }, signal));
    },
    after: async (outcome, content, signal) => {
      const id = `${outcome.compactionId}-after`;
      const data = { ...outcome, ...(wantsContent && { content }) };
      await discardBody(await post(options, { id, type: 'compaction.after', data }, signal));
    },
    failed: async (outcome, signal) => {
      const id = `${outcome.compactionId}-failed`;
      await discardBody(await post(options, { id, type: 'compaction.failed', data: outcome }, signal));
    },
  };
};

type WebhookMessage = { readonly id: string; readonly type: string; readonly data: object };

/** @throws {HookRefused} for any answer but a 2xx; redirects are not followed: the signature is for one receiver. */
const post = async (
  { url, secret, now = Date.now }: HttpHookOptions,
  { id, type, data }: WebhookMessage,
  signal: AbortSignal,
): Promise<Response> => {
  const body = JSON.stringify({ type, data });
  const timestamp = Math.floor(now() / 1_000);
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': sign(secret, id, timestamp, body),
  };
  const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
  if (answer.ok) return answer;
  await discardBody(answer);
  throw new HookRefused(`the hook answered with status ${answer.status}`);
};

/** Cancels the body, which would keep its connection open unread. */
const discardBody = async ({ body }: Response): Promise<void> => body?.cancel();
