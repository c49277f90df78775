import { GetContext } from '@app/application';
import { contextView, wireFormat } from '@app/contract';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';
import { asOf } from '../shapes.js';

const query = z.strictObject({
  format: wireFormat.default('anthropic').describe('Whose request'),
  asOf: asOf
    .optional()
    .describe(
      'The context as of a revision or a time (ISO 8601); as of the id of a request, that very request',
    ),
});

/** `GET /v1/sessions/:session/context` */
@Controller()
export class GetContextController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session/context', {
    id: 'getContext',
    summary: 'Returns the context of a session, now or as of a revision, time or request.',
    roles: READERS,
    content: { in: ['request', 'body', 'systemPrompt', 'tools'] },
    query,
    response: contextView,
    isRevisioned: true,
    errors: ['session-not-found', 'revision-not-found', 'request-not-found'],
  })
  get(
    @Param('session') id: string,
    @Query(valid(query)) { format, asOf: state }: z.output<typeof query>,
    @CurrentCaller() { session }: ApiCaller,
  ) {
    return this.queries.execute(new GetContext(session(id), format, state));
  }
}
