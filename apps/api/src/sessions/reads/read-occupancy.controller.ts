import { ReadOccupancy } from '@app/application';
import { occupancySeries } from '@app/contract';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';
import { revision } from '../shapes.js';

const query = z.strictObject({
  from: revision.optional().describe('The first revision; 0 by default'),
  to: revision.optional().describe('The last revision; the newest by default'),
  bins: z.coerce.number().int().min(1).max(2_000).default(400).describe('Points of the answer, at most'),
  axis: z
    .enum(['revision', 'time'])
    .default('revision')
    .describe('What the bins divide: revisions, or the time of activity, without idle times'),
  idleAfterSeconds: z.coerce
    .number()
    .int()
    .min(1)
    .max(86_400)
    .default(300)
    .describe('Over time: longer pauses between two events are idle'),
});

/** `GET /v1/sessions/:session/occupancy` */
@Controller()
export class ReadOccupancyController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session/occupancy', {
    id: 'getOccupancy',
    summary:
      'Returns the occupancy of a session over its revisions or over time in bins, with the events that changed it.',
    roles: READERS,
    content: 'none',
    query,
    response: occupancySeries,
    isRevisioned: true,
    errors: ['session-not-found', 'revision-not-found'],
  })
  read(
    @Param('session') id: string,
    @Query(valid(query)) { from, to, bins, axis, idleAfterSeconds }: z.output<typeof query>,
    @CurrentCaller() { session }: ApiCaller,
  ) {
    const idle = axis === 'time' && { idleAfterMs: idleAfterSeconds * 1_000 };
    const range = { bins, ...idle, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    return this.queries.execute(new ReadOccupancy(session(id), range));
  }
}
