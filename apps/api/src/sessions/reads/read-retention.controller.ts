import { ReadRetention } from '@app/application';
import { retentionMap } from '@app/contract';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';

const query = z.strictObject({
  from: z.coerce.number().int().min(0).max(1_000_000_000).default(0).describe('The first turn'),
  turns: z.coerce.number().int().min(1).max(500).default(100).describe('Turns of the answer, at most'),
});

/** `GET /v1/sessions/:session/retention-map` */
@Controller()
export class ReadRetentionController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session/retention-map', {
    id: 'getRetentionMap',
    summary: 'Returns what each compaction of a session did with each turn of a range.',
    roles: READERS,
    content: 'none',
    query,
    response: retentionMap,
    isRevisioned: true,
    errors: ['session-not-found', 'projection-behind'],
  })
  read(
    @Param('session') id: string,
    @Query(valid(query)) range: z.output<typeof query>,
    @CurrentCaller() { session }: ApiCaller,
  ) {
    return this.queries.execute(new ReadRetention(session(id), range));
  }
}
