import type { ReadModels } from '@app/ports';
import { Controller, Inject, Query } from '@nestjs/common';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { pageOf, pageQuery, pageRequest, shownPage } from '../../http/page.js';
import { valid } from '../../http/valid.js';
import { READ_MODELS } from '../../symbols.js';
import { READERS } from '../roles.js';

const query = z.strictObject(pageQuery);

const response = pageOf(
  z.looseObject({
    session: z.string(),
    turns: z.int(),
    messages: z.int(),
    occupancy: z.int(),
    window: z.int(),
    state: z.string(),
    compactions: z.int(),
    revision: z.int(),
    profile: z.string(),
    model: z.string(),
    openedAt: z.string(),
    updatedAt: z.string(),
  }),
);

/** `GET /v1/sessions` */
@Controller()
export class ListSessionsController {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  @Endpoint('GET', 'v1/sessions', {
    summary: 'Lists the sessions, newest activity first; a moment behind the log.',
    roles: READERS,
    content: 'none',
    query,
    response,
  })
  async list(@Query(valid(query)) page: z.output<typeof query>, @CalledBy() { tenant }: Calling) {
    return shownPage(await this.readModels.sessionPage(tenant, pageRequest(page)));
  }
}
