import { createHash } from 'node:crypto';
import { AppError, canonicalJson, Slices } from '@app/kernel';
import { aboutError, logLine } from '@app/platform';
import type { Claim, IdempotencyKeys, KeptAnswer, KeyedRequest } from '@app/ports';
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { IDEMPOTENCY, type IdempotencyOptions } from '../../symbols.js';
import { keyIn, principalOf } from '../access.guard.js';
import { type EndpointFacts, endpointOf, isWrite } from '../endpoint.js';
import { problemOf, statusOf } from '../problems.js';
import { beginScope } from './scopes.js';
import { openAnswer, type Seal, sealAnswer } from './sealed-answer.js';

/** What of an answer is kept besides its status and body. */
const KEPT_HEADERS = ['etag', 'location'] as const;
/** Refusals before which nothing has been recorded, and which another request of the same key may get around. */
const UNBEGUN: readonly string[] = ['invalid-request', 'invalid-id', 'revision-mismatch'];

type Exchange = {
  readonly endpoint: EndpointFacts;
  readonly keyed: KeyedRequest;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

/** Carries a write that comes with an Idempotency-Key out once, and answers it as often as it is sent. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly keys: IdempotencyKeys;
  private readonly leaseMs: number;

  constructor(@Inject(IDEMPOTENCY) { keys, leaseMs }: IdempotencyOptions) {
    this.keys = keys;
    this.leaseMs = leaseMs;
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const endpoint = endpointOf(context.getHandler());
    const http = context.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    const key = request.headers['idempotency-key'];
    if (!endpoint || !isWrite(endpoint) || key === undefined) return next.handle();
    const answer = async (): Promise<unknown> => {
      const keyed = await keyedRequest(request, String(key));
      return this.once({ endpoint, keyed, request, reply }, next);
    };
    return from(answer());
  }

  private async once(exchange: Exchange, next: CallHandler): Promise<unknown> {
    const { keyed, request, reply } = exchange;
    const claim = await this.keys.claim(keyed, this.leaseMs);
    switch (claim.kind) {
      case 'reused':
        throw new AppError(
          'idempotency-key-reused',
          'this Idempotency-Key stands for another request: take a new one',
        );
      case 'in-progress':
        void reply.header('retry-after', String(claim.seconds));
        throw new AppError(
          'request-in-progress',
          'the first request of this Idempotency-Key is still under way',
        );
      case 'answered':
        return replay(claim.answer, exchange);
      case 'claimed':
        beginScope(request, {
          name: `${keyed.tenant} ${keyed.key}`,
          ...(claim.begunAfter && { begunAfter: claim.begunAfter }),
        });
        return this.carryOut(exchange, claim, next);
    }
  }

  private async carryOut(
    exchange: Exchange,
    claim: Extract<Claim, { kind: 'claimed' }>,
    next: CallHandler,
  ): Promise<unknown> {
    const { keyed, reply } = exchange;
    const renewal = setInterval(() => {
      this.keys.renew(keyed, claim.holder, this.leaseMs).catch(() => {}); // The next one will do.
    }, this.leaseMs / 3);
    try {
      const answer: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      const kept = {
        status: reply.statusCode,
        headers: keptHeaders(reply),
        body: keptBody(exchange, answer),
      };
      await this.keep(exchange, claim, kept);
      return answer;
    } catch (error) {
      await this.settle(exchange, claim, error);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** What became of a request that was not answered as it was meant to be. */
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
      if (UNBEGUN.includes(error.code) && !claim.begunAfter)
        return await this.keys.forget(keyed, claim.holder);
      const problem = problemOf(error);
      const headers = { 'content-type': 'application/problem+json' };
      await this.keep(exchange, claim, { status: problem.status, headers, body: JSON.stringify(problem) });
    } catch (lost) {
      logLine('error', { event: 'answer-not-kept', ...aboutError(lost) });
    }
  }

  /** The request has been carried out: that its answer cannot be kept is no reason to say otherwise. */
  private async keep(
    { keyed }: Exchange,
    { holder }: Extract<Claim, { kind: 'claimed' }>,
    answer: KeptAnswer,
  ): Promise<void> {
    try {
      await this.keys.answer(keyed, holder, answer);
    } catch (error) {
      logLine('error', { event: 'answer-not-kept', ...aboutError(error) });
    }
  }
}

const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/** @throws {AppError} `invalid-request` for a key of another form. */
const keyedRequest = async (request: FastifyRequest, key: string): Promise<KeyedRequest> => {
  if (!KEY_FORM.test(key))
    throw new AppError(
      'invalid-request',
      'an Idempotency-Key is 1 to 255 printable ASCII characters without blanks',
    );
  const { tenant } = principalOf(request);
  // A body that is read as it comes is not known yet: what is brought in twice that way is brought in once by itself.
  const body = isRead(request.body) ? request.body : null;
  const slices = new Slices();
  const said = `${tenant}\n${request.method}\n${request.url}\n${canonicalJson(body)}`;
  if (slices.isOver) await slices.next();
  const digest = createHash('sha256').update(said).digest();
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

/** What is kept of an answer: nothing where it is shown once; sealed where it may hold text, which stays in the log. */
const keptBody = (exchange: Exchange, answer: unknown): string | null => {
  if (exchange.endpoint.isSecret) return null;
  const body = JSON.stringify(answer ?? null);
  return exchange.endpoint.content === 'none' ? body : sealAnswer(body, sealOf(exchange));
};

const sealOf = ({ keyed, request }: Exchange): Seal => ({
  apiKey: keyIn(request) ?? '',
  place: `${keyed.tenant}\n${keyed.key}\n${Buffer.from(keyed.digest).toString('hex')}`,
});

/** The answer as it was given, in the same bytes. */
const replay = ({ status, headers, body }: KeptAnswer, exchange: Exchange): Buffer => {
  const opened = body === null ? null : openAnswer(body, sealOf(exchange));
  if (opened === null)
    throw new AppError(
      'idempotency-key-reused',
      'this request has been carried out, and its answer was shown once',
    );
  if (opened === undefined)
    throw new AppError(
      'idempotency-key-reused',
      'this request has been carried out, and its answer is kept for the API key that sent it: send it with that one, or under a new Idempotency-Key',
    );
  void exchange.reply.status(status).headers({
    'content-type': 'application/json; charset=utf-8',
    ...headers,
    'idempotency-replayed': 'true',
  });
  return Buffer.from(opened);
};
