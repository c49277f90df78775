import { AppError } from '@app/kernel';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { principalOf } from '../http/access.guard.js';
import { endpointOf } from '../http/endpoint.js';
import { KnownLimits } from './known-limits.js';
import { RateLimits, type Standing } from './rate-limits.js';

/** What a token is taken to be before anybody has counted it. */
const BYTES_PER_TOKEN = 4;

/** Lets a tenant take as much of the service as its limits say; stands behind the guard that tells whose key it is. */
@Injectable()
export class LimitsGuard implements CanActivate {
  private readonly rates = new RateLimits();
  private readonly known: KnownLimits;

  constructor(@Inject(QueryBus) queries: QueryBus) {
    this.known = new KnownLimits(queries);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const endpoint = endpointOf(context.getHandler());
    if (endpoint?.roles === 'public') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { tenant } = principalOf(request);
    const tokens = endpoint?.appends ? Math.ceil(bytesOf(request) / BYTES_PER_TOKEN) : 0;
    const { standing, met } = await this.rates.take(tenant, await this.known.of(tenant), tokens);
    tell(http.getResponse<FastifyReply>(), standing, met !== undefined);
    if (met === undefined) return true;
    throw new AppError(
      'rate-limited',
      `the tenant takes at most ${standing.limit} ${met}: try again in ${standing.resetSeconds} s`,
    );
  }
}

/** As the request says, or, where it does not, as it came. */
const bytesOf = ({ headers, body }: FastifyRequest): number => {
  const said = Number(headers['content-length']);
  return Number.isSafeInteger(said) ? said : Buffer.byteLength(JSON.stringify(body ?? ''));
};

const tell = (reply: FastifyReply, { limit, remaining, resetSeconds }: Standing, isMet: boolean): void => {
  void reply.header('ratelimit-limit', limit);
  void reply.header('ratelimit-remaining', remaining);
  void reply.header('ratelimit-reset', resetSeconds);
  if (isMet) void reply.header('retry-after', Math.max(1, resetSeconds));
};
