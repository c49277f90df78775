import { ListLogWitnesses } from '@app/application';
import { logWitnesses } from '@app/contract';
import { Controller } from '@nestjs/common';
import { BusController } from '../http/bus-controller.js';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { READERS } from '../sessions/roles.js';

/** `GET /v1/log/witnesses` */
@Controller()
export class ListLogWitnessesController extends BusController {
  @Endpoint('GET', 'v1/log/witnesses', {
    id: 'listLogWitnesses',
    summary:
      "Returns the witnesses of the tenant's transparency log, and the tree that each has cosigned last.",
    roles: READERS,
    content: 'none',
    response: logWitnesses,
    errors: ['log-not-found'],
  })
  list(@CurrentCaller() { tenant }: ApiCaller) {
    return this.queries.execute(new ListLogWitnesses(tenant));
  }
}
