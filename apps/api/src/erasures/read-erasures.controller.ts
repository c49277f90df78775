import { ListErasures, ShowErasure } from '@app/application';
import { erasure } from '@app/contract';
import { Controller, Param } from '@nestjs/common';
import { z } from 'zod';
import { BusController } from '../http/bus-controller.js';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { erasureIn, policy, READERS } from './shapes.js';

/** `GET /v1/erasures` and `GET /v1/erasures/:erasure` */
@Controller()
export class ReadErasuresController extends BusController {
  @Endpoint('GET', 'v1/erasures', {
    id: 'listErasures',
    summary: 'Lists the erasures of the tenant, newest first.',
    roles: READERS,
    content: 'none',
    response: z.object({ erasures: z.array(erasure), ...policy.shape }),
  })
  list(@CurrentCaller() { tenant }: ApiCaller) {
    return this.queries.execute(new ListErasures(tenant));
  }

  @Endpoint('GET', 'v1/erasures/:erasure', {
    id: 'showErasure',
    summary: 'Shows an erasure with its receipt.',
    roles: READERS,
    content: 'none',
    response: erasure,
    errors: ['invalid-id', 'erasure-not-found'],
  })
  show(@Param('erasure') id: string, @CurrentCaller() { tenant }: ApiCaller) {
    return this.queries.execute(new ShowErasure(tenant, erasureIn(id)));
  }
}
