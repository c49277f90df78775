import { GetContext } from '@app/application';
import { WIRE_FORMATS } from '@app/domain';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';
import { jsonObject, revision } from '../shapes.js';

const query = z.strictObject({
  format: z.enum(WIRE_FORMATS).default('anthropic').describe('Whose request'),
  asOf: revision.optional().describe('The context as it was at this revision'),
});

const response = z.looseObject({
  request: jsonObject,
  revision: z.int(),
  tokens: z.int(),
  window: z.int(),
  state: z.string(),
  pivot: z.string().nullable(),
  retainedFrom: z.string().nullable(),
  retention: z.array(jsonObject),
});

/** `GET /v1/sessions/:session/context` */
@Controller()
export class GetContextController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session/context', {
    summary: 'Shows the request that the next model call would send, now or as of a revision.',
    roles: READERS,
    content: { in: ['request'] },
    query,
    response,
    isRevisioned: true,
    errors: ['session-not-found', 'revision-not-found'],
  })
  get(
    @Param('session') id: string,
    @Query(valid(query)) { format, asOf }: z.output<typeof query>,
    @CalledBy() { session }: Calling,
  ) {
    return this.queries.execute(new GetContext(session(id), format, asOf));
  }
}
