import { backoffMs, isPassing, pause } from './backoff.js';
import { PalimpsestError } from './errors.js';
import { openResponse } from './open-response.js';
import { type Path, type Query, queryString } from './path.js';

export type ClientOptions = {
  /** Of the API, such as `http://127.0.0.1:8420`. */
  readonly url: string | URL;
  readonly apiKey: string;
  /** Why text is read, for the audit of reads: sent with every call, at most 500 characters. */
  readonly reason?: string;
  /** In place of the platform's own. */
  readonly fetch?: typeof fetch;
  /** How often a call is made again after a failure that passes; 4 where it is not given, 0 for never. */
  readonly retries?: number;
  /** How long one attempt may take; a minute where it is not given. */
  readonly timeoutMs?: number;
};
/** What every method takes last. */
export type CallOptions = {
  /** Ends the call, its retries and its waiting. */
  readonly signal?: AbortSignal;
  /** How long one attempt may take. */
  readonly timeoutMs?: number;
  /** Of a write: the same key is the same write, however often it comes. A new one where it is not given. */
  readonly idempotencyKey?: string;
  /** Of a write: refused unless the session is at this revision. */
  readonly ifMatch?: number;
};
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Content = {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as they come, in place of a body: anew for each attempt. */
  readonly bytes?: () => AsyncIterable<Uint8Array>;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
};
/** What tests hold still. */
export type TransportParts = {
  readonly pause: typeof pause;
  readonly random: () => number;
  readonly newKey: () => string;
};

const RETRIES = 4;
const TIMEOUT_MS = 60_000;
const REAL: TransportParts = { pause, random: Math.random, newKey: () => crypto.randomUUID() };

/** Makes calls: with the key, with a timeout, and again where that is safe. */
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
   * One call, and its answer from JSON; `undefined` where it has no body.
   *
   * @throws {PalimpsestError} and the reason of `signal` where that aborts.
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

  /** An answer that is read as it comes: `timeoutMs` is for its beginning, and `close` ends it. */
  stream(method: Method, path: Path, content: Content = {}, options: CallOptions = {}) {
    return this.persist(method, options, async (headers) => {
      const opened = await this.open(method, path, withHeaders(content, headers), options);
      opened.begun();
      return opened;
    });
  }

  /** How long whoever has failed `attempt` times in a row waits before the next. */
  waitAfter(attempt: number, options: CallOptions, retryAfterMs?: number): Promise<void> {
    return this.parts.pause(backoffMs(attempt, this.parts.random(), retryAfterMs), options.signal);
  }

  /** The key of a write is the same in every attempt: the service carries it out once. */
  private async persist<Answer>(
    method: Method,
    options: CallOptions,
    attempt: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
  ): Promise<Answer> {
    const headers: Record<string, string> =
      method === 'GET' ? {} : { 'idempotency-key': options.idempotencyKey ?? this.parts.newKey() };
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

  private open(
    method: Method,
    { path }: Path,
    content: Content,
    { signal, timeoutMs, ifMatch }: CallOptions,
  ) {
    const { query = {}, body, bytes, accept = 'application/json', headers } = content;
    const request = {
      method,
      // A key is for the service that was named, and for no other that this one may point to.
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
      ...(bytes && { body: bytes(), duplex: 'half' as const }),
    };
    return openResponse(this.options.fetch ?? fetch, `${this.url}${path}${queryString(query)}`, request, {
      ...(signal && { signal }),
      timeoutMs: timeoutMs ?? this.timeoutMs,
    });
  }
}

const withHeaders = (content: Content, headers: Readonly<Record<string, string>>): Content => ({
  ...content,
  headers: { ...content.headers, ...headers },
});

/** Without the slash at its end, so that a service below a path can be named. */
const baseOf = (url: string | URL): string => {
  const { origin, pathname, protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') throw new TypeError('give a URL of http: or https:');
  return `${origin}${pathname.replace(/\/+$/, '')}`;
};

const answerIn = <Answer>(text: string): Answer => {
  try {
    return JSON.parse(text === '' ? 'null' : text) ?? undefined;
  } catch (cause) {
    throw new PalimpsestError(
      'unexpected-answer',
      "the answer is none of Palimpsest's (no JSON): is the URL that of its API?",
      { status: 200, cause },
    );
  }
};
