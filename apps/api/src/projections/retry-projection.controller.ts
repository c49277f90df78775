import { RetryProjection } from '@app/application';
import { LogPosition } from '@app/kernel';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { logPosition } from './log-position.js';

const body = z.strictObject({
  position: logPosition('give the position of the event that the stream is stopped before')
    .optional()
    .describe('Of the event that one stream is stopped before; all streams of the projection without it'),
});
const response = z
  .object({
    projection: z.string(),
    streams: z.int().describe('Number of streams that are retried'),
  })
  .meta({ id: 'RetriedProjection' });

/** `POST /v1/projections/:name/retry` */
@Controller()
export class RetryProjectionController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/projections/:name/retry', {
    id: 'retryStoppedStreams',
    summary: 'Retries the stopped streams of a projection.',
    roles: ['operator', 'admin'],
    content: 'none',
    operatorOnly: true,
    body,
    response,
    errors: ['unknown-projection', 'projection-not-stopped', 'postgres-unavailable'],
  })
  retry(@Param('name') name: string, @Body(valid(body)) { position }: z.output<typeof body>) {
    const at = position === undefined ? undefined : LogPosition(position);
    return this.commands.execute(new RetryProjection(name, at));
  }
}
