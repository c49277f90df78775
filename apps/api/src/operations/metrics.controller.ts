import { AppError } from '@app/kernel';
import { mayReadMetrics, Operations } from '@app/platform';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Endpoint } from '../http/endpoint.js';

/** `GET /metrics` */
@Controller()
export class MetricsController {
  constructor(@Inject(Operations) private readonly operations: Operations) {}

  @Endpoint('GET', 'metrics', {
    id: 'getMetrics',
    summary: 'Returns the metrics of this process for Prometheus.',
    roles: 'public',
    content: 'none',
    produces: 'text/plain',
    response: z.string().describe('Metrics in the text format of Prometheus'),
    errors: ['forbidden'],
  })
  read(
    @Req() { ip, headers }: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { metricsFor, metrics } = this.operations;
    if (!mayReadMetrics(metricsFor, { address: ip, headers })) {
      throw new AppError(
        'forbidden',
        'this client may not read the metrics: PALIMPSEST_METRICS on the server selects who may',
      );
    }
    void reply.type(metrics.contentType);
    return this.operations.metricsText();
  }
}
