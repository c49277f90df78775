import { ChangeErasurePolicy } from '@app/application';
import { Body, Controller } from '@nestjs/common';
import type { z } from 'zod';
import { BusController } from '../http/bus-controller.js';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { policy } from './shapes.js';

/** `PUT /v1/erasure-policy` */
@Controller()
export class ErasurePolicyController extends BusController {
  @Endpoint('PUT', 'v1/erasure-policy', {
    id: 'changeErasurePolicy',
    summary: 'Sets whether another person has to approve each erasure.',
    roles: ['admin'],
    content: 'none',
    body: policy,
    response: policy,
  })
  change(
    @Body(valid(policy)) { people }: z.output<typeof policy>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    return this.commands.execute(new ChangeErasurePolicy(tenant, people, caller));
  }
}
