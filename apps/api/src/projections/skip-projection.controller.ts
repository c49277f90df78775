import { SkipProjection } from '@app/application';
import { LogPosition } from '@app/kernel';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { logPosition } from './log-position.js';

const body = z.strictObject({
  position: logPosition('give the position of the event that the stream is stopped before').describe(
    'Of the event that the stream is stopped before, as `GET /v1/projections/stopped` shows it',
  ),
  reason: z.string().min(1).max(500).describe('For the auditors of the stream'),
});
const response = z
  .object({
    projection: z.string(),
    position: z.string(),
    stream: z.string(),
    revision: z.int(),
  })
  .meta({ id: 'SkippedProjection' });

/** `POST /v1/projections/:name/skip` */
@Controller()
export class SkipProjectionController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/projections/:name/skip', {
    id: 'skipStoppedStream',
    summary: 'Skips the event that stops a stream in one projection.',
    roles: ['operator', 'admin'],
    content: 'none',
    operatorOnly: true,
    body,
    response,
    errors: ['unknown-projection', 'projection-not-stopped', 'corrupt-event', 'postgres-unavailable'],
  })
  async skip(
    @Param('name') name: string,
    @Body(valid(body)) { position, reason }: z.output<typeof body>,
    @CurrentCaller() { caller }: ApiCaller,
  ) {
    const options = { position: LogPosition(position), reason };
    const skipped = await this.commands.execute(new SkipProjection(name, options, caller));
    return { ...skipped, position: String(position) };
  }
}
