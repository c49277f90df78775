import { LogPosition, sessionOf, tenantOf } from '@app/kernel';
import { PROJECTION_NAMES, type ReadModels } from '@app/ports';
import { Controller, Inject, Query } from '@nestjs/common';
import { z } from 'zod';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { READ_MODELS } from '../symbols.js';
import { logPosition } from './log-position.js';

const query = z.strictObject({
  projection: z.enum(PROJECTION_NAMES).optional().describe('Of this projection alone'),
  after: logPosition('give `next` of the page before')
    .optional()
    .describe('`next` of the page before; the first page without it'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(100)
    .describe('Streams of one page; those of one event stand together, so a page may have a few more'),
});
const response = z.object({
  items: z.array(
    z
      .object({
        projection: z.string(),
        stream: z.string(),
        tenant: z.string().nullable().describe('`null` for a stream that belongs to no tenant'),
        session: z.string().nullable().describe('`null` for a stream that is not a session’s'),
        revision: z.int().describe('Of the event that cannot be taken, in its stream'),
        position: z.string().describe('Of that event, in the log'),
        type: z.string().describe('Of that event, as the log has it'),
        at: z.iso.datetime().describe('Since when'),
        error: z.string().describe('The code of the error, without content'),
        retryRequested: z.boolean(),
      })
      .meta({
        id: 'StoppedStream',
        description: 'A stream whose rows are stopped at an event that the projection cannot apply',
      }),
  ),
  next: z.string().nullable().describe('Where the next page begins; `null` on the last one'),
});

/** `GET /v1/projections/stopped` */
@Controller()
export class ListStoppedStreamsController {
  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  /** Lists names of streams of all tenants, never content. */
  @Endpoint('GET', 'v1/projections/stopped', {
    id: 'listStoppedStreams',
    summary: 'Lists the streams of all tenants whose rows are stopped, in log order.',
    roles: ['operator', 'admin'],
    content: 'none',
    operatorOnly: true,
    query,
    response,
    errors: ['postgres-unavailable'],
  })
  async list(@Query(valid(query)) { projection, after, limit }: z.output<typeof query>) {
    const page = await this.readModels.stoppedStreams({
      limit,
      ...(projection !== undefined && { projection }),
      ...(after !== undefined && { after: LogPosition(after) }),
    });
    const items = page.items.map(({ position, ...stop }) => {
      const of = sessionOf(stop.stream);
      const tenant = of?.tenant ?? tenantOf(stop.stream) ?? null;
      return { ...stop, position: String(position), tenant, session: of?.session ?? null };
    });
    return { items, next: page.next === null ? null : String(page.next) };
  }
}
