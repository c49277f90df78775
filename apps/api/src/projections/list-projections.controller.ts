import type { ReadModels } from '@app/ports';
import { Controller, Inject } from '@nestjs/common';
import { z } from 'zod';
import { Endpoint } from '../http/endpoint.js';
import { READ_MODELS } from '../symbols.js';

const response = z.array(
  z.object({
    projection: z.string(),
    position: z.string().nullable().describe('In the log; everything at or before it is in the rows'),
    events: z.int(),
    updatedAt: z.iso.datetime().nullable(),
    stopped: z
      .object({
        at: z.iso.datetime(),
        position: z.string().nullable().describe('Of the event that it cannot take'),
        error: z.string(),
      })
      .nullable(),
  }),
);

/** `GET /v1/projections` */
@Controller()
export class ListProjectionsController {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  /** Projections are of all tenants: whose event one has stopped before is not said. */
  @Endpoint('GET', 'v1/projections', {
    summary: 'Shows how far each read model has come, and which have stopped.',
    roles: ['operator', 'admin'],
    content: 'none',
    ofOperator: true,
    response,
    errors: ['postgres-unavailable'],
  })
  async list() {
    const all = await this.readModels.status();
    return all.map(({ projection, position, events, updatedAt, stopped }) => ({
      projection,
      position: position === null ? null : String(position),
      events,
      updatedAt,
      stopped: stopped && {
        at: stopped.at,
        position: stopped.event && String(stopped.event.position),
        error: stopped.error,
      },
    }));
  }
}
