import { DiffContexts } from '@app/application';
import { contextDiff } from '@app/contract';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';
import { asOf } from '../shapes.js';

const query = z.strictObject({
  a: asOf.describe('A revision, a time (ISO 8601) or the id of a request'),
  b: asOf.describe('Another one, before or after it'),
  content: z.stringbool().default(false).describe('What the messages and summaries say, too'),
});

/** `GET /v1/sessions/:session/diff` */
@Controller()
export class DiffContextsController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session/diff', {
    id: 'diffContexts',
    summary: 'Compares the contexts of two states of a session.',
    roles: READERS,
    content: {
      in: ['messages.onlyInA[].content', 'messages.onlyInB[].content', 'a.summary.text', 'b.summary.text'],
    },
    query,
    response: contextDiff,
    errors: ['session-not-found', 'revision-not-found', 'request-not-found'],
  })
  diff(
    @Param('session') id: string,
    @Query(valid(query)) { a, b, content }: z.output<typeof query>,
    @CurrentCaller() { session }: ApiCaller,
  ) {
    return this.queries.execute(new DiffContexts(session(id), a, b, { content }));
  }
}
