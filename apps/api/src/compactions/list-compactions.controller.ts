import { ShowSession } from '@app/application';
import { compactionSummary } from '@app/contract';
import type { ReadModels } from '@app/ports';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { pageOf, pageQuery, pageRequest, shownPage } from '../http/page.js';
import { valid } from '../http/valid.js';
import { READERS } from '../sessions/roles.js';
import { READ_MODELS } from '../symbols.js';

const query = z.strictObject(pageQuery);

/** `GET /v1/sessions/:session/compactions` */
@Controller()
export class ListCompactionsController {
  constructor(
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  @Endpoint('GET', 'v1/sessions/:session/compactions', {
    id: 'listCompactions',
    summary: 'Lists the compactions of a session, newest first.',
    roles: READERS,
    content: 'none',
    query,
    response: pageOf(compactionSummary),
    errors: ['session-not-found', 'projection-behind'],
  })
  async list(
    @Param('session') id: string,
    @Query(valid(query)) page: z.output<typeof query>,
    @CurrentCaller() { session }: ApiCaller,
  ) {
    const ref = session(id);
    await this.queries.execute(new ShowSession(ref)); // Throws for an unknown session, which would look like one without compactions.
    return shownPage(await this.readModels.compactionPage(ref, pageRequest(page)));
  }
}
