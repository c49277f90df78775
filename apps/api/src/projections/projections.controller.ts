import { RetryProjection, SkipProjection } from '@app/application';
import { LogPosition, sessionOf, tenantOf } from '@app/kernel';
import { PROJECTION_NAMES } from '@app/ports';
import { Body, Controller, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';

/** Maximum of PostgreSQL's `bigint`. */
const POSITION_MAX = 2n ** 63n - 1n;

/** Returns a schema for log positions, strings of digits since they exceed safe integers. `fault` is the error text. */
const logPosition = (fault: string) =>
  z
    .string()
    .regex(/^\d{1,19}$/, fault)
    .transform(BigInt)
    .refine((position) => position <= POSITION_MAX, fault);

const listProjectionsResponse = z.array(
  z
    .object({
      projection: z.string(),
      position: z
        .string()
        .nullable()
        .describe('Position in the log up to which the rows are complete, inclusive'),
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

const listStoppedStreamsQuery = z.strictObject({
  projection: z.enum(PROJECTION_NAMES).exactOptional().describe('Only streams of this projection'),
  after: logPosition('give `next` of the page before')
    .exactOptional()
    .describe('`next` of the previous page; absent for the first page'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(100)
    .describe('Maximum number of streams; a page may exceed it, since it lists all streams of an event'),
});

const StoppedStreamResponse = z.object({
  items: z.array(
    z
      .object({
        projection: z.string(),
        stream: z.string(),
        tenant: z.string().nullable().describe('`null` for a stream that belongs to no tenant'),
        session: z.string().nullable().describe('`null` for a stream that is not a session’s'),
        revision: z.int().describe('Revision of the event that cannot be applied'),
        position: z.string().describe('Position of that event in the log'),
        type: z.string().describe('Type of that event'),
        at: z.iso.datetime().describe('Time of the first failure'),
        error: z.string().describe('Code of the error'),
        retryRequested: z.boolean(),
      })
      .meta({
        id: 'StoppedStream',
        description: 'A stream whose rows are stopped at an event that the projection cannot apply',
      }),
  ),
  next: z.string().nullable().describe('Cursor of the next page; `null` on the last one'),
});

const retryStoppedStreamsBody = z.strictObject({
  position: logPosition('give the position of the event that the stream is stopped before')
    .exactOptional()
    .describe('Position of the event that stops a stream; absent for all streams of the projection'),
});

const RetriedProjectionResponse = z
  .object({
    projection: z.string(),
    streams: z.int().describe('Number of streams that are retried'),
  })
  .meta({ id: 'RetriedProjection' });

const SkippedProjectionBody = z.strictObject({
  position: logPosition('give the position of the event that the stream is stopped before').describe(
    'Position of the event that stops the stream, from `GET /v1/projections/stopped`',
  ),
  reason: z.string().min(1).max(500).describe('Reason for the audit'),
});

const SkippedProjectionResponse = z
  .object({
    projection: z.string(),
    position: z.string(),
    stream: z.string(),
    revision: z.int(),
  })
  .meta({ id: 'SkippedProjection' });

/** Routes below `/v1/projections`. */
@Controller()
export class ProjectionsController extends BusController {
  @Endpoint('GET', 'v1/projections', {
    id: 'listProjections',
    summary: 'Lists the read models with their position, lag and stopped streams.',
    roles: ['operator', 'admin'],
    content: 'none',
    operatorOnly: true,
    response: listProjectionsResponse,
    errors: ['postgres-unavailable'],
  })
  async list() {
    const all = await this.engine.readModels.status();
    return all.map(({ projection, position, events, updatedAt, stoppedStreams }) => ({
      projection,
      position: position === null ? null : String(position),
      events,
      updatedAt,
      stoppedStreams,
    }));
  }

  /** Lists names of streams of all tenants, never content. */
  @Endpoint('GET', 'v1/projections/stopped', {
    id: 'listStoppedStreams',
    summary: 'Lists the streams of all tenants whose rows are stopped, in log order.',
    roles: ['operator', 'admin'],
    content: 'none',
    operatorOnly: true,
    query: listStoppedStreamsQuery,
    response: StoppedStreamResponse,
    errors: ['postgres-unavailable'],
  })
  async listStoppedStreams(
    @Query(valid(listStoppedStreamsQuery)) { after, ...rest }: z.output<typeof listStoppedStreamsQuery>,
  ) {
    const page = await this.engine.readModels.stoppedStreams({
      ...rest,
      ...(after !== undefined && { after: LogPosition(after) }),
    });
    const items = page.items.map(({ position, ...stop }) => {
      const of = sessionOf(stop.stream);
      const tenant = of?.tenant ?? tenantOf(stop.stream) ?? null;
      return { ...stop, position: String(position), tenant, session: of?.session ?? null };
    });
    return { items, next: page.next === null ? null : String(page.next) };
  }

  @Endpoint('POST', 'v1/projections/:name/retry', {
    id: 'retryStoppedStreams',
    summary: 'Retries the stopped streams of a projection.',
    roles: ['operator', 'admin'],
    content: 'none',
    operatorOnly: true,
    body: retryStoppedStreamsBody,
    response: RetriedProjectionResponse,
    errors: ['unknown-projection', 'projection-not-stopped', 'postgres-unavailable'],
  })
  retry(
    @Param('name') name: string,
    @Body(valid(retryStoppedStreamsBody)) { position }: z.output<typeof retryStoppedStreamsBody>,
  ) {
    const at = position === undefined ? undefined : LogPosition(position);
    return this.commands.execute(new RetryProjection(name, at));
  }

  @Endpoint('POST', 'v1/projections/:name/skip', {
    id: 'skipStoppedStream',
    summary: 'Skips the event that stops a stream in one projection.',
    roles: ['operator', 'admin'],
    content: 'none',
    operatorOnly: true,
    body: SkippedProjectionBody,
    response: SkippedProjectionResponse,
    errors: ['unknown-projection', 'projection-not-stopped', 'corrupt-event', 'postgres-unavailable'],
  })
  async skip(
    @Param('name') name: string,
    @Body(valid(SkippedProjectionBody)) { position, reason }: z.output<typeof SkippedProjectionBody>,
    @CurrentCaller() { caller }: ApiCaller,
  ) {
    const options = { position: LogPosition(position), reason };
    const skipped = await this.commands.execute(new SkipProjection(name, options, caller));
    return { ...skipped, position: String(position) };
  }
}
