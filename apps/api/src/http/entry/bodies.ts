import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { AppError, LIMITS, type TenantId } from '@app/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { knownPrincipal } from '../access.guard.js';
import { Arrivals, type BodyTimeouts } from './arrivals.js';
import { type BodyBounds, BodyBudget } from './body-budget.js';

/** Bytes of a JSON body; content that is larger comes in several. */
export const BODY_BYTES_MAX: number = LIMITS.bodyBytes.max;
/** Bytes of a JSON body for a provider, which takes no more. */
const GATEWAY_BYTES_MAX = 32 * 1_048_576;

type Held = { readonly tenant: TenantId; bytes: number };

/** Reads the bodies of admitted requests, within the bounds of time and memory. */
export class Bodies {
  private readonly arrivals: Arrivals;
  private readonly budget: BodyBudget;
  private readonly held = new WeakMap<FastifyRequest, Held>();

  constructor(timeouts: BodyTimeouts, bounds: BodyBounds) {
    this.arrivals = new Arrivals(timeouts);
    this.budget = new BodyBudget(bounds);
  }

  /**
   * Sets memory aside for a body whose length the request declares, until its answer has gone out or its client has.
   *
   * @throws {AppError} `append-too-large`, `rate-limited`, `overloaded`.
   */
  reserve(request: FastifyRequest, reply: FastifyReply): void {
    const { tenant } = knownPrincipal(request) ?? {};
    if (tenant === undefined || !hasBody(request)) return;
    const held: Held = { tenant, bytes: 0 };
    this.held.set(request, held);
    reply.raw.once('close', () => {
      this.budget.release(tenant, held.bytes);
      held.bytes = Number.POSITIVE_INFINITY; // A piece that comes later is not counted any more.
    });
    if (!isStreamed(request)) this.hold(request, held, declaredBytes(request) ?? 0);
  }

  /** All of a body. @throws {AppError} as {@link reserve}, `request-timeout`, `invalid-request`. */
  async whole(request: FastifyRequest, body: Readable): Promise<Buffer> {
    askFor(request);
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    const held = this.held.get(request);
    for await (const piece of this.arrivals.held(iteratorOf(body))) {
      bytes += piece.length;
      if (bytes > maxOf(request)) throw tooLarge(request);
      if (held && bytes > held.bytes) this.hold(request, held, bytes);
      pieces.push(piece);
    }
    return Buffer.concat(pieces, bytes);
  }

  /** The pieces of a body that is read as it comes, of any length. @throws {AppError} `request-timeout`. */
  pieces(request: FastifyRequest, body: Readable): AsyncIterable<Uint8Array> {
    askFor(request);
    return this.arrivals.pieces(iteratorOf(body));
  }

  /** Lets no half-sent body hold up the end of the process. */
  hurry(): void {
    this.arrivals.hurry();
  }

  private hold(request: FastifyRequest, held: Held, bytes: number): void {
    if (bytes > maxOf(request)) throw tooLarge(request);
    this.budget.take(held.tenant, bytes - held.bytes);
    held.bytes = bytes;
  }
}

/** A stream that is left in the middle stays open: its answer goes over the same connection. */
const iteratorOf = (body: Readable) => body.iterator({ destroyOnReturn: false });

const isForProvider = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.endpoint?.speaks !== undefined;

/** Whether the endpoint reads the body as it comes, and holds none of it. */
const isStreamed = (request: FastifyRequest): boolean =>
  !isForProvider(request) && request.routeOptions.config.endpoint?.consumes !== undefined;

const maxOf = (request: FastifyRequest): number =>
  isForProvider(request) ? GATEWAY_BYTES_MAX : BODY_BYTES_MAX;

const tooLarge = (request: FastifyRequest): AppError =>
  isForProvider(request)
    ? new AppError('append-too-large', 'request exceeds the maximum size of 32 MB: send less in it')
    : new AppError('append-too-large', 'the body is larger than 16 MiB: send it in several parts');

/** Bytes that a request says its body has; `undefined` where it does not say. */
export const declaredBytes = ({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined => {
  const declared = headers['content-length'];
  return declared === undefined ? undefined : Number(declared);
};

export const hasBody = (request: Pick<FastifyRequest, 'headers'>): boolean =>
  request.headers['transfer-encoding'] !== undefined || (declaredBytes(request) ?? 0) > 0;

/** How a client that waits for it is told to send its body. */
const CONTINUES = new WeakMap<IncomingMessage, () => void>();

export const continueWith = (request: IncomingMessage, goOn: () => void): void =>
  void CONTINUES.set(request, goOn);

const askFor = ({ raw }: FastifyRequest): void => {
  CONTINUES.get(raw)?.();
  CONTINUES.delete(raw);
};

/** By the request that it came with. */
const BODIES = new WeakMap<FastifyRequest, Bodies>();

/** Remembers who reads the body of a request. */
export const readWith = (request: FastifyRequest, bodies: Bodies): void => void BODIES.set(request, bodies);

/** What reads the body of a request that was admitted. @throws {AppError} `internal` for one that was not. */
const bodiesOf = (request: FastifyRequest): Bodies => {
  const bodies = BODIES.get(request);
  if (bodies) return bodies;
  throw new AppError('internal', 'a body is read before its request was admitted');
};

/** The types of bodies that are handed to their endpoint unread. */
export const STREAMED_TYPES = ['application/octet-stream', 'application/x-ndjson'];

/** The body as it comes. @throws {AppError} `unknown-format` where it came with another type; later as {@link Bodies.pieces}. */
export const piecesOf = (request: FastifyRequest): AsyncIterable<Uint8Array> => {
  const { body } = request;
  if (body instanceof Readable) return bodiesOf(request).pieces(request, body);
  throw new AppError(
    'unknown-format',
    `send the body as it is, as content-type ${STREAMED_TYPES.join(' or ')}`,
  );
};

/** All of a body for a provider. @throws {AppError} `unknown-format`, `append-too-large`, `request-timeout`. */
export const bytesOf = (request: FastifyRequest): Promise<Buffer> => {
  const { body } = request;
  if (body instanceof Readable) return bodiesOf(request).whole(request, body);
  throw new AppError('unknown-format', 'send JSON, as content-type application/json');
};
