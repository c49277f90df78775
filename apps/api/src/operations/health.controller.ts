import { isoTime, type Shape } from '@app/contract';
import { mayReadMetrics, Operations, RETRY_AFTER_SECONDS, requireReady } from '@app/platform';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Endpoint } from '../http/endpoint.js';

const answering = z.enum(['ok', 'unavailable']);
const health = z.object({
  status: z.enum(['ready', 'unavailable']),
  eventStore: z
    .enum(['ok', 'unavailable', 'full'])
    .describe('full: it answers and takes no events, since its disk is full'),
  postgres: answering,
  worker: z
    .enum(['starting', 'running', 'restarting'])
    .exactOptional()
    .describe(
      'Child process that compacts, projects and sends to webhooks; absent if other processes have these roles',
    ),
  projections: z.array(
    z.object({
      projection: z.string(),
      position: z.string().nullable(),
      lag: z.int().nullable().describe('Number of logged events that are not in the rows yet'),
      stoppedStreams: z.int().describe('Streams whose rows are stopped'),
      status: z.enum(['ok', 'degraded', 'unknown']),
    }),
  ),
  witnesses: z
    .array(
      z.object({
        name: z.string().describe('Name in the policy'),
        cosignedAt: isoTime.nullable().describe('Time of its newest cosignature'),
        logsBehind: z.int().describe('Logs whose newest checkpoint it has not cosigned'),
        logsFailing: z.int().describe('Logs where its last answer was a problem'),
        problem: z.string().nullable().describe('Its problem that has lasted for the longest time'),
        failingSince: isoTime.nullable(),
      }),
    )
    .exactOptional()
    .describe('Witnesses of the transparency logs, for clients that may read the metrics; absent for others'),
});

/** `GET /health/live`, `/health/ready` and `/health`. They require no key, so answers name no servers, paths or tenants; witnesses are named for clients that may read the metrics. */
@Controller()
export class HealthController {
  constructor(@Inject(Operations) private readonly operations: Operations) {}

  @Endpoint('GET', 'health/live', {
    id: 'getLiveness',
    summary: 'Reports that the process runs.',
    roles: 'public',
    content: 'none',
    response: z.object({ status: z.literal('live') }),
  })
  live() {
    return { status: 'live' as const };
  }

  @Endpoint('GET', 'health/ready', {
    id: 'getReadiness',
    summary: 'Reports whether this process can serve requests.',
    roles: 'public',
    content: 'none',
    response: z.object({ status: z.literal('ready') }),
    errors: ['event-store-unavailable', 'postgres-unavailable'],
  })
  async ready() {
    requireReady(await this.operations.health());
    return { status: 'ready' as const };
  }

  /** Answers 503 with the same body if the service is not ready. */
  @Endpoint('GET', 'health', {
    id: 'getHealth',
    summary: 'Returns the health of each dependency and projection.',
    roles: 'public',
    content: 'none',
    response: health,
    alsoStatus: 503,
  })
  async health(
    @Req() { ip, headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Shape<typeof health>> {
    const mayRead = mayReadMetrics(this.operations.metricsFor, { address: ip, headers });
    const now = await (mayRead ? this.operations.detailedHealth() : this.operations.health());
    if (now.status !== 'ready') void reply.status(503).header('retry-after', RETRY_AFTER_SECONDS);
    return now;
  }
}
