import type { z } from 'zod';
import { type NamedStore, unreachable, wrongKey } from './key-store.js';

const ANSWER_MAX_MS = 10_000;

export type Post = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  /** The store's key, for errors. */
  readonly key: string;
  /** Meanings of certain HTTP statuses. */
  readonly reasons: Readonly<Record<number, string>>;
};

/**
 * Sends one request to a key store that is asked over HTTP, and returns its answer by a schema.
 *
 * @throws {AppError} `key-store-unreachable`, `installation-key-wrong` for 400 and 404. Messages contain neither token nor key.
 */
export const post = async <Shape extends z.ZodType>(
  store: NamedStore,
  { url, headers, body, key, reasons }: Post,
  shape: Shape,
): Promise<z.output<Shape>> => {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MAX_MS),
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }).catch((cause: unknown) => {
    throw unreachable(store, 'does not answer', cause);
  });
  if (response.status === 400 || response.status === 404) throw wrongKey(store, key);
  if (!response.ok) throw unreachable(store, `answers ${response.status}${reasons[response.status] ?? ''}`);
  const answer: unknown = await response.json().catch((cause: unknown) => {
    throw unreachable(store, 'gives an answer that is no JSON', cause);
  });
  const found = shape.safeParse(answer);
  if (!found.success) throw unreachable(store, 'gives an answer without a key');
  return found.data;
};
