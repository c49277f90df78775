import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { principalOf } from '../http/access.guard.js';
import { endpointOf } from '../http/endpoint.js';
import { Allowance, headersOf } from './allowance.js';
import { LimitMet } from './limit-met.js';

/** Lets a tenant take as much of the service as its limits say; stands behind the guard that tells whose key it is. */
@Injectable()
export class LimitsGuard implements CanActivate {
  constructor(@Inject(Allowance) private readonly allowance: Allowance) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const endpoint = endpointOf(context.getHandler());
    if (endpoint?.roles === 'public') return true;
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { tenant } = principalOf(request);
    const verdict = await this.allowance.takeRequest(tenant, endpoint?.appends ? bytesOf(request) : 0);
    if (verdict.met !== undefined) throw new LimitMet(verdict, verdict.met);
    void http.getResponse<FastifyReply>().headers(headersOf(verdict.standing));
    return true;
  }
}

/** As the request says, or, where it does not, as it came. */
const bytesOf = ({ headers, body }: FastifyRequest): number => {
  const said = Number(headers['content-length']);
  return Number.isSafeInteger(said) ? said : Buffer.byteLength(JSON.stringify(body ?? ''));
};
