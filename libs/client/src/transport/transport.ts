import { backoffMs, isPassing, pause } from './backoff.js';
import { bodyStream } from './body-stream.js';
import { PalimpsestError } from './errors.js';
import { openResponse } from './open-response.js';
import { type Path, type Query, queryString, requireOwnRoute } from './path.js';
import { unexpected } from './read-problem.js';

export type ClientOptions = {
  /** Base URL of the API, such as `http://127.0.0.1:8420`. */
  readonly url: string | URL;
  readonly apiKey: string;
  /** Reason for reading text, recorded with each read; sent with every call, at most 500 characters. */
  readonly reason?: string;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof fetch;
  /** Maximum of retries after temporary failures; 4 by default, 0 for none. */
  readonly retries?: number;
  /** Milliseconds for one attempt; 60,000 by default. */
  readonly timeoutMs?: number;
};
/** Options of every method. */
export type CallOptions = {
  /** Cancels the call with its retries. */
  readonly signal?: AbortSignal;
  /** Milliseconds for one attempt. */
  readonly timeoutMs?: number;
  /** Idempotency key of a write; by default a new one if failed calls are retried, and otherwise none. */
  readonly idempotencyKey?: string;
  /** Expected revision of the session for a write. */
  readonly ifMatch?: number;
};
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Content = {
  readonly query?: Query;
  /** Body, sent as JSON. */
  readonly body?: unknown;
  /** Body of bytes, created anew for each attempt: a stream, or a `Blob` such as a file, which browsers send over HTTP/1.1, too. */
  readonly bytes?: () => AsyncIterable<Uint8Array> | Blob;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
};
/** Clock and randomness, which tests replace. */
export type TransportParts = {
  readonly pause: typeof pause;
  readonly random: () => number;
  readonly newKey: () => string;
};

const RETRIES = 4;
const TIMEOUT_MS = 60_000;
const REAL: TransportParts = { pause, random: Math.random, newKey: () => crypto.randomUUID() };

/** Sends requests with API key, timeout and retries. */
export class Transport {
  private readonly url: string;
  private readonly retries: number;
  private readonly timeoutMs: number;

  constructor(
    private readonly options: ClientOptions,
    private readonly parts: TransportParts = REAL,
  ) {
    this.url = baseOf(options.url);
    this.retries = options.retries ?? RETRIES;
    this.timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  }

  /**
   * Sends a request and returns its parsed JSON answer; `undefined` without a body.
   *
   * @throws {PalimpsestError}; the reason of `signal` if it aborts.
   */
  async send<Answer>(
    method: Method,
    path: Path,
    content: Content = {},
    options: CallOptions = {},
  ): Promise<Answer> {
    return this.persist(method, options, async (headers) => {
      const opened = await this.open(method, path, withHeaders(content, headers), options);
      try {
        return answerIn<Answer>(await opened.response.text());
      } catch (error) {
        throw opened.failureOf(error);
      } finally {
        opened.close();
      }
    });
  }

  /** Sends a request with a streamed answer: `timeoutMs` applies to its start, and `close` ends it. */
  stream(method: Method, path: Path, content: Content = {}, options: CallOptions = {}) {
    return this.persist(method, options, async (headers) => {
      const opened = await this.open(method, path, withHeaders(content, headers), options);
      opened.begun();
      return opened;
    });
  }

  /** Waits before the next attempt after `attempt` failures in a row. */
  waitAfter(attempt: number, options: CallOptions, retryAfterMs?: number): Promise<void> {
    return this.parts.pause(backoffMs(attempt, this.parts.random(), retryAfterMs), options.signal);
  }

  /**
   * Retries a call; all attempts of a write have the same idempotency key, so it is executed once. A call that is not retried has
   * none of its own: the service would keep its answer for a repetition that never comes.
   */
  private async persist<Answer>(
    method: Method,
    options: CallOptions,
    attempt: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
  ): Promise<Answer> {
    const key = options.idempotencyKey ?? (this.retries > 0 ? this.parts.newKey() : undefined);
    const headers: Record<string, string> =
      method === 'GET' || key === undefined ? {} : { 'idempotency-key': key };
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await attempt(headers);
      } catch (error) {
        if (!(error instanceof PalimpsestError)) throw error;
        if (attempts > this.retries || !isPassing(error)) throw error.after(attempts);
        await this.waitAfter(attempts, options, error.retryAfterMs);
      }
    }
  }

  private open(method: Method, path: Path, content: Content, { signal, timeoutMs, ifMatch }: CallOptions) {
    requireOwnRoute(path);
    const { query = {}, body, bytes, accept = 'application/json', headers } = content;
    const request = {
      method,
      // Redirects are not followed, since the API key must not be sent to another service.
      redirect: 'manual' as const,
      headers: {
        accept,
        authorization: `Bearer ${this.options.apiKey}`,
        ...(this.options.reason !== undefined && {
          'x-palimpsest-reason': encodeURIComponent(this.options.reason),
        }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(bytes && { 'content-type': 'application/octet-stream' }),
        ...(ifMatch !== undefined && { 'if-match': `"${ifMatch}"` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(bytes && bodyOf(bytes())),
    };
    return openResponse(
      this.options.fetch ?? fetch,
      `${this.url}${path.path}${queryString(query)}`,
      request,
      {
        ...(signal && { signal }),
        timeoutMs: timeoutMs ?? this.timeoutMs,
      },
    );
  }
}

const bodyOf = (bytes: AsyncIterable<Uint8Array> | Blob) =>
  bytes instanceof Blob ? { body: bytes } : { body: bodyStream(bytes), duplex: 'half' as const };

const withHeaders = (content: Content, headers: Readonly<Record<string, string>>): Content => ({
  ...content,
  headers: { ...content.headers, ...headers },
});

/** Removes the trailing slash, so that a base URL may have a path. */
const baseOf = (url: string | URL): string => {
  const { origin, pathname, protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError('give a URL of http: or https:');
  return `${origin}${pathname.replace(/\/+$/, '')}`;
};

/** Parses an answer, or an event of a stream. @throws {PalimpsestError} `unexpected-answer` for other text than JSON. */
export const answerIn = <Answer>(text: string): Answer => {
  try {
    return JSON.parse(text === '' ? 'null' : text) ?? undefined;
  } catch (cause) {
    throw unexpected({ status: 200, cause });
  }
};
