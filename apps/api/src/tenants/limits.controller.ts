import { ChangeLimits, GetLimits } from '@app/application';
import { defined, Tokens } from '@app/kernel';
import { Body, Controller } from '@nestjs/common';
import type { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { limits } from './shapes.js';

const body = limits.partial().strict();

/** `GET /v1/limits` and `PUT /v1/limits` */
@Controller()
export class LimitsController extends BusController {
  @Endpoint('GET', 'v1/limits', {
    id: 'getLimits',
    summary: 'Returns the rate limits of the tenant.',
    roles: ['operator', 'admin'],
    content: 'none',
    response: limits,
  })
  show(@CurrentCaller() { tenant }: ApiCaller) {
    return this.queries.execute(new GetLimits(tenant));
  }

  @Endpoint('PUT', 'v1/limits', {
    id: 'changeLimits',
    summary: 'Changes the named rate limits of the tenant.',
    roles: ['admin'],
    content: 'none',
    errors: ['invalid-settings'],
    body,
    response: limits,
  })
  change(@Body(valid(body)) given: z.output<typeof body>, @CurrentCaller() { tenant, caller }: ApiCaller) {
    const { tokensPerMinute: tokens, ...rest } = given;
    const changed = defined({ ...rest, tokensPerMinute: tokens === undefined ? undefined : Tokens(tokens) });
    return this.commands.execute(new ChangeLimits(tenant, changed, caller));
  }
}
