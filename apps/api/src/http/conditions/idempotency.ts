import { createHash } from 'node:crypto';
import { setImmediate as afterSending } from 'node:timers/promises';
import { AppError, canonicalJson, keepJsonText, Slices } from '@app/kernel';
import { aboutError, logLine } from '@app/platform';
import {
  type Claim,
  type IdempotencyKeys,
  type KeptAnswer,
  type KeyedDigests,
  type KeyedRequest,
  ROUTE_BYTES,
} from '@app/ports';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { keyIn, principalOf } from '../access.guard.js';
import { type EndpointFacts, isWrite } from '../endpoint.js';
import { problemOf, statusOf } from '../problems.js';
import { holdsSecret } from '../shown-once.js';
import { beginScope, scopeOf } from './scopes.js';
import { openAnswer, type Seal, sealAnswer } from './sealed-answer.js';

/**
 * Milliseconds until another process may take over a keyed request whose holder does not respond. A retry waits for it
 * after a crash, and the service is to recover within 30 seconds.
 */
const LEASE_MS = 5_000;
/** Headers that are stored with the status and body of an answer. */
const KEPT_HEADERS = ['etag', 'location'] as const;
/** Errors that leave nothing recorded: the key may be used again with a corrected request. */
const UNRECORDED_ERRORS: readonly string[] = ['invalid-request', 'invalid-id', 'revision-mismatch'];

type Exchange = {
  readonly endpoint: EndpointFacts;
  readonly keyed: KeyedRequest;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

/** Executes a write with an `Idempotency-Key` once, and replays its answer to every repeated request. */
export class Idempotency {
  /** Answers that are being stored, by tenant and key. */
  private readonly unstored = new Map<string, Promise<void>>();

  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly keyed: KeyedDigests,
  ) {}

  /** Returns the answer of `work`, or the one that is stored for the `Idempotency-Key` of a write. */
  async once<Answer>(
    endpoint: EndpointFacts,
    request: FastifyRequest,
    reply: FastifyReply,
    work: () => Promise<Answer>,
  ): Promise<Answer | Buffer> {
    const key = request.headers['idempotency-key'];
    if (key === undefined || !isWrite(endpoint)) return work();
    scopeOf(request); // Reads `If-Match` before the key is claimed.
    const claiming = this.claim(request, String(key));
    if (endpoint.answersItself)
      return this.decideAhead({ endpoint, request, reply }, String(key), claiming, work);
    const [keyed, claim] = await claiming;
    return this.answerTo({ endpoint, keyed, request, reply }, claim, work);
  }

  private claim(request: FastifyRequest, key: string): Promise<readonly [KeyedRequest, Claim]> {
    return this.keyed.recording(async () => {
      const asked = await keyedRequest(request, key, this.keyed);
      await this.unstored.get(nameOf(asked));
      return [asked, await this.keys.claim(asked, LEASE_MS)];
    });
  }

  /** Works while the key is being claimed; nothing is recorded until it is, and only by a request that is new. */
  private async decideAhead<Answer>(
    exchange: Omit<Exchange, 'keyed'>,
    key: string,
    claiming: Promise<readonly [KeyedRequest, Claim]>,
    work: () => Promise<Answer>,
  ): Promise<Answer | Buffer> {
    const { request } = exchange;
    const permitted = claiming.then(([, claim]) => {
      if (!isNew(claim)) throw new AppError('request-in-progress', 'the request was made before');
    });
    permitted.catch(() => {});
    beginScope(request, { name: nameOf({ tenant: principalOf(request).tenant, key }), permitted });
    const ahead = work();
    const ended = ahead.then(() => {}).catch(() => {});
    const [keyed, claim] = await claiming.catch(async (error) => {
      await ended;
      throw error;
    });
    if (isNew(claim)) return this.carryOut({ ...exchange, keyed }, claim, () => ahead);
    await ended;
    return this.answerTo({ ...exchange, keyed }, claim, work);
  }

  private async answerTo<Answer>(
    exchange: Exchange,
    claim: Claim,
    work: () => Promise<Answer>,
  ): Promise<Answer | Buffer> {
    const { keyed, request, reply } = exchange;
    switch (claim.kind) {
      case 'erasing':
        throw new AppError(
          'erasure-in-progress',
          'all content of the tenant is being erased: repeat the request in a few seconds',
        );
      case 'reused':
        throw new AppError(
          'idempotency-key-reused',
          'this Idempotency-Key was used for another request: send this one under a new key',
        );
      case 'in-progress':
        void reply.header('retry-after', String(claim.seconds));
        throw new AppError(
          'request-in-progress',
          `the first request with this Idempotency-Key is still running: retry after ${claim.seconds} s`,
        );
      case 'answered':
        return replay(claim.answer, exchange);
      case 'claimed':
        beginScope(request, {
          name: nameOf(keyed),
          ...(claim.begunAfter && { begunAfter: claim.begunAfter }),
        });
        return this.carryOut(exchange, claim, work);
    }
  }

  /** The answer is stored while it is sent. If the process dies before it is stored, a repeated request finds the work in the log. */
  private async carryOut<Answer>(
    exchange: Exchange,
    claim: Extract<Claim, { kind: 'claimed' }>,
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    const { keyed, reply } = exchange;
    const renewal = setInterval(() => {
      this.keys.renew(keyed, claim.holder, LEASE_MS).catch(() => {}); // The next renewal comes before the lease ends.
    }, LEASE_MS / 3);
    try {
      const answer = await work();
      const { statusCode: status } = reply;
      this.store(exchange, claim, { status, headers: keptHeaders(reply) }, answer, renewal);
      return answer;
    } catch (error) {
      clearInterval(renewal);
      await this.settle(exchange, claim, error);
      throw error;
    }
  }

  /** Resolves when the answers of all requests so far are stored. */
  async stored(): Promise<void> {
    await Promise.all(this.unstored.values());
  }

  private store(
    exchange: Exchange,
    claim: Extract<Claim, { kind: 'claimed' }>,
    kept: Omit<KeptAnswer, 'body'>,
    answer: unknown,
    renewal: NodeJS.Timeout,
  ): void {
    const name = nameOf(exchange.keyed);
    const text = holdsSecret(exchange.endpoint.response) ? null : JSON.stringify(answer ?? null);
    if (text !== null) keepJsonText(answer, text);
    const storing = afterSending()
      .then(() => this.keys.answer(exchange.keyed, claim.holder, { ...kept, body: keptBody(exchange, text) }))
      .catch(logLost)
      .finally(() => {
        clearInterval(renewal);
        this.unstored.delete(name);
      });
    this.unstored.set(name, storing);
  }

  /** Stores the outcome of a failed request, or releases its key for a retry. */
  private async settle(
    exchange: Exchange,
    claim: Extract<Claim, { kind: 'claimed' }>,
    error: unknown,
  ): Promise<void> {
    const { keyed } = exchange;
    try {
      if (
        !(error instanceof AppError) ||
        statusOf(error.code) >= 500 ||
        error.code === 'concurrency-conflict'
      )
        return await this.keys.abandon(keyed, claim.holder);
      if (UNRECORDED_ERRORS.includes(error.code) && !claim.begunAfter)
        return await this.keys.forget(keyed, claim.holder);
      const problem = problemOf(error);
      const headers = { 'content-type': 'application/problem+json' };
      const answer = { status: problem.status, headers, body: JSON.stringify(problem) };
      await this.keys.answer(keyed, claim.holder, answer);
    } catch (lost) {
      logLost(lost);
    }
  }
}

/** An answer that cannot be stored is sent all the same: its work is done, or refused. */
const logLost = (error: unknown): void =>
  logLine('error', { event: 'answer-not-kept', ...aboutError(error) });

const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/** @throws {AppError} `invalid-request` for a malformed key. */
const keyedRequest = async (
  request: FastifyRequest,
  key: string,
  keyed: KeyedDigests,
): Promise<KeyedRequest> => {
  if (!KEY_FORM.test(key))
    throw new AppError(
      'invalid-request',
      'the Idempotency-Key is malformed: send 1 to 255 printable ASCII characters without blanks',
    );
  const { tenant } = principalOf(request);
  // A streamed body is not part of the digest, since it is not read yet; imports are idempotent by themselves.
  const body = isRead(request.body) ? request.body : null;
  const slices = new Slices();
  const input = `${request.method}\n${request.url}\n${canonicalJson(body)}`;
  if (slices.isOver) await slices.next();
  const digester = await keyed.digester(tenant, 'request');
  const [path = ''] = request.url.split('?', 1);
  const route = createHash('sha256').update(`${request.method}\n${path}`).digest().subarray(0, ROUTE_BYTES);
  const whole = Buffer.from(digester(input), 'hex');
  const digest = Buffer.concat([route, whole.subarray(0, whole.length - ROUTE_BYTES)]);
  return { tenant, key, digest };
};

const isRead = (body: unknown): boolean =>
  typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body);

const keptHeaders = (reply: FastifyReply): Readonly<Record<string, string>> =>
  Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = reply.getHeader(name);
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );

/** Returns the body to store, sealed if it may hold text. */
const keptBody = (exchange: Exchange, body: string | null): string | null =>
  body === null || exchange.endpoint.content === 'none' ? body : sealAnswer(body, sealOf(exchange));

const nameOf = ({ tenant, key }: Pick<KeyedRequest, 'tenant' | 'key'>): string => `${tenant} ${key}`;

/** Whether nothing can have been recorded for the key. */
const isNew = (claim: Claim): claim is Extract<Claim, { kind: 'claimed' }> =>
  claim.kind === 'claimed' && !claim.begunAfter;

const sealOf = ({ keyed, request }: Exchange): Seal => ({
  apiKey: keyIn(request) ?? '',
  place: `${keyed.tenant}\n${keyed.key}\n${Buffer.from(keyed.digest).toString('hex')}`,
});

/** Returns the stored answer in the same bytes. */
const replay = ({ status, headers, body }: KeptAnswer, exchange: Exchange): Buffer => {
  const opened = body === null ? null : openAnswer(body, sealOf(exchange));
  if (opened === null)
    throw new AppError(
      'idempotency-key-reused',
      'this request was executed, and its answer contained a secret that is shown once: create a new one if it was lost',
    );
  if (opened === undefined)
    throw new AppError(
      'idempotency-key-reused',
      'this request was executed with another API key: repeat it with that API key, or send it under a new Idempotency-Key',
    );
  void exchange.reply.status(status).headers({
    'content-type': 'application/json; charset=utf-8',
    ...headers,
    'idempotency-replayed': 'true',
  });
  return Buffer.from(opened);
};
