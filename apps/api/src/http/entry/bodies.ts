import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { AppError, Attached, LIMITS, type TenantId } from '@app/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { knownPrincipal } from '../access.guard.js';
import { Arrivals, type BodyTimeouts } from './arrivals.js';

/** Maximum bytes of a JSON body; clients split larger content. */
export const BODY_BYTES_MAX: number = LIMITS.bodyBytes.max;
/** Maximum bytes of a gateway request, as the providers limit it. */
const GATEWAY_BYTES_MAX = 32 * 1_048_576;

/** Maximum bytes of a body without a key. */
const PUBLIC_BYTES_MAX = 4_096;

type Held = { readonly tenant: TenantId; bytes: number };

/** Reads the bodies of admitted requests within timeouts and memory limits. */
export class Bodies {
  private readonly arrivals: Arrivals;
  private readonly budget: BodyBudget;
  private readonly held = new Attached<FastifyRequest, Held>();

  constructor(timeouts: BodyTimeouts, bounds: BodyBounds) {
    this.arrivals = new Arrivals(timeouts);
    this.budget = new BodyBudget(bounds);
  }

  /**
   * Reserves memory for a body of declared length, until the answer is sent or the client disconnects.
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
      held.bytes = Number.POSITIVE_INFINITY; // Later pieces are not counted.
    });
    if (!isStreamed(request)) this.hold(request, held, declaredBytes(request) ?? 0);
  }

  /** Returns a whole body. @throws {AppError} as {@link reserve}, `request-timeout`, `invalid-request`. */
  async whole(request: FastifyRequest, body: Readable, max: number = maxOf(request)): Promise<Buffer> {
    sendContinueFor(request);
    const arrived = arrivedWhole(request, body);
    if (arrived) {
      if (arrived.length > max) throw tooLarge(request, max);
      return arrived;
    }
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    const held = this.held.get(request);
    for await (const piece of this.arrivals.held(iteratorOf(body))) {
      bytes += piece.length;
      if (bytes > max) throw tooLarge(request, max);
      if (held && bytes > held.bytes) this.hold(request, held, bytes);
      pieces.push(piece);
    }
    return Buffer.concat(pieces, bytes);
  }

  /** Returns the pieces of a streamed body of any length. @throws {AppError} `request-timeout`. */
  pieces(request: FastifyRequest, body: Readable): AsyncIterable<Uint8Array> {
    sendContinueFor(request);
    return this.arrivals.pieces(iteratorOf(body));
  }

  /** Shortens the allowed pauses of bodies for the shutdown. */
  shortenPauses(): void {
    this.arrivals.shortenPauses();
  }

  private hold(request: FastifyRequest, held: Held, bytes: number): void {
    if (bytes > maxOf(request)) throw tooLarge(request, maxOf(request));
    this.budget.take(held.tenant, bytes - held.bytes);
    held.bytes = bytes;
  }
}

/**
 * Returns a body of declared length that has arrived with its head, as small ones do; `undefined` for any other. Node reports the
 * end of such a body only after its reader has run.
 */
const arrivedWhole = (request: FastifyRequest, body: Readable): Buffer | undefined => {
  if (body !== request.raw || body.readableLength === 0) return undefined;
  if (body.readableLength !== declaredBytes(request)) return undefined;
  const bytes: unknown = body.read();
  body.resume(); // To its end, which keeps the connection open for further requests.
  return Buffer.isBuffer(bytes) ? bytes : undefined;
};

/** Leaving the iteration early keeps the stream open, since the answer uses the same connection. */
const iteratorOf = (body: Readable) => body.iterator({ destroyOnReturn: false });

const isForProvider = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.endpoint?.provider !== undefined;

/** Whether the endpoint processes the body as a stream, without buffering it. */
const isStreamed = (request: FastifyRequest): boolean =>
  !isForProvider(request) && request.routeOptions.config.endpoint?.consumes !== undefined;

const maxOf = (request: FastifyRequest): number => {
  if (request.routeOptions.config.endpoint?.roles === 'public') return PUBLIC_BYTES_MAX;
  return isForProvider(request) ? GATEWAY_BYTES_MAX : BODY_BYTES_MAX;
};

const tooLarge = (request: FastifyRequest, max: number): AppError => {
  if (max === PUBLIC_BYTES_MAX)
    return new AppError('append-too-large', 'the body is larger than 4 KiB: give a key or a code alone');
  if (max !== maxOf(request))
    return new AppError('append-too-large', `the body is larger than ${max} bytes: send a smaller one`);
  return isForProvider(request)
    ? new AppError('append-too-large', 'request exceeds the maximum size of 32 MB: send a smaller request')
    : new AppError('append-too-large', 'the body is larger than 16 MiB: send it in several parts');
};

/** Returns the declared length of a body in bytes; `undefined` without `Content-Length`. */
export const declaredBytes = ({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined => {
  const declared = headers['content-length'];
  return declared === undefined ? undefined : Number(declared);
};

export const hasBody = (request: Pick<FastifyRequest, 'headers'>): boolean =>
  request.headers['transfer-encoding'] !== undefined || (declaredBytes(request) ?? 0) > 0;

/** Callbacks that answer `100 Continue`, by request. */
const CONTINUE_CALLBACKS = new WeakMap<IncomingMessage, () => void>();

export const onContinue = (request: IncomingMessage, sendContinue: () => void): void =>
  void CONTINUE_CALLBACKS.set(request, sendContinue);

const sendContinueFor = ({ raw }: FastifyRequest): void => {
  CONTINUE_CALLBACKS.get(raw)?.();
  CONTINUE_CALLBACKS.delete(raw);
};

const BODIES = new Attached<FastifyRequest, Bodies>();

/** Registers the reader of a request's body. */
export const readWith = (request: FastifyRequest, bodies: Bodies): void => void BODIES.set(request, bodies);

/** @throws {AppError} `internal` if the request was not admitted. */
const bodiesOf = (request: FastifyRequest): Bodies => {
  const bodies = BODIES.get(request);
  if (bodies) return bodies;
  throw new AppError('internal', 'a body is read before its request was admitted');
};

/** Media types of bodies that handlers read as a stream. */
/** A body of any media type, which the handler reads as a stream. */
export const ANY_TYPE = '*/*';
export const STREAMED_TYPES = ['application/octet-stream', 'application/x-ndjson'];

/** Returns the pieces of a body. @throws {AppError} `unknown-format` for another media type; later as {@link Bodies.pieces}. */
export const piecesOf = (request: FastifyRequest): AsyncIterable<Uint8Array> => {
  const { body } = request;
  if (body instanceof Readable) return bodiesOf(request).pieces(request, body);
  throw new AppError(
    'unknown-format',
    `the content type is not supported: send ${STREAMED_TYPES.join(' or ')}`,
  );
};

/**
 * Returns a whole body that the handler parses.
 *
 * @param max bytes; as for all requests to a provider, or without a key, by default.
 * @throws {AppError} `unknown-format`, `append-too-large`, `request-timeout`.
 */
export const bytesOf = (request: FastifyRequest, max?: number): Promise<Buffer> => {
  const { body } = request;
  if (body instanceof Readable) return bodiesOf(request).whole(request, body, max);
  throw new AppError('unknown-format', 'the content type is not supported: send application/json');
};

/** Maximum bytes of request bodies in the memory of one process. */
type BodyBounds = { readonly perTenant: number; readonly inAll: number };

const MIB = 1_048_576;

/** Counts the bytes of request bodies in memory, for each tenant and in total. */
class BodyBudget {
  private readonly held = new Map<TenantId, number>();
  private all = 0;

  constructor(private readonly bounds: BodyBounds) {}

  /** @throws {AppError} `rate-limited` above the tenant's limit, `overloaded` above the total; nothing is counted then. */
  take(tenant: TenantId, bytes: number): void {
    const { perTenant, inAll } = this.bounds;
    const own = (this.held.get(tenant) ?? 0) + bytes;
    if (own > perTenant)
      throw new AppError(
        'rate-limited',
        `the bodies of the tenant's concurrent requests exceed ${perTenant / MIB} MiB: send fewer at a time`,
      );
    if (this.all + bytes > inAll)
      throw new AppError(
        'overloaded',
        `the bodies of all concurrent requests exceed ${inAll / MIB} MiB: retry after 1 s`,
      );
    this.held.set(tenant, own);
    this.all += bytes;
  }

  /** Releases bytes that {@link take} has counted. */
  release(tenant: TenantId, bytes: number): void {
    const left = (this.held.get(tenant) ?? 0) - bytes;
    if (left > 0) this.held.set(tenant, left);
    else this.held.delete(tenant);
    this.all -= bytes;
  }
}
