import type { ReadModels } from '@app/ports';
import { Controller, Inject } from '@nestjs/common';
import { z } from 'zod';
import { Endpoint } from '../http/endpoint.js';
import { READ_MODELS } from '../symbols.js';

const response = z.array(
  z
    .object({
      projection: z.string(),
      position: z.string().nullable().describe('In the log; everything at or before it is in the rows'),
      events: z.int(),
      updatedAt: z.iso.datetime().nullable(),
      stoppedStreams: z
        .int()
        .describe(
          'Streams whose rows are stopped, as `GET /v1/projections/stopped` lists them; at most 10,000',
        ),
    })
    .meta({ id: 'ProjectionStatus' }),
);

/** `GET /v1/projections` */
@Controller()
export class ListProjectionsController {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  @Endpoint('GET', 'v1/projections', {
    id: 'listProjections',
    summary: 'Lists the read models with their position, lag and stopped streams.',
    roles: ['operator', 'admin'],
    content: 'none',
    operatorOnly: true,
    response,
    errors: ['postgres-unavailable'],
  })
  async list() {
    const all = await this.readModels.status();
    return all.map(({ projection, position, events, updatedAt, stoppedStreams }) => ({
      projection,
      position: position === null ? null : String(position),
      events,
      updatedAt,
      stoppedStreams,
    }));
  }
}
