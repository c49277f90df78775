import { RotateLogKey } from '@app/application';
import { Body, Controller } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller, emptyBody } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';

const response = z
  .object({
    keys: z.array(z.string()).describe('The keys that sign from now on, as vkeys (C2SP signed-note)'),
  })
  .meta({ id: 'RotatedLogKey' });

/** `POST /v1/log/rotate-key` */
@Controller()
export class RotateLogKeyController extends BusController {
  @Endpoint('POST', 'v1/log/rotate-key', {
    id: 'rotateLogKey',
    summary: "Replaces the key of the tenant's transparency log; older proofs stay valid.",
    roles: ['admin'],
    content: 'none',
    body: emptyBody,
    response,
    errors: ['secret-unreadable', 'postgres-unavailable', 'event-store-unavailable'],
  })
  rotate(
    @Body(valid(emptyBody)) _: z.output<typeof emptyBody>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    return this.commands.execute(new RotateLogKey(tenant, caller));
  }
}
