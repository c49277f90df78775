import { SkipProjection } from '@app/application';
import { LogPosition } from '@app/kernel';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../http/calling.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';

const body = z.strictObject({
  position: z
    .string()
    .regex(/^\d{1,19}$/, 'give the position of the event that it has stopped before')
    .describe('Of the event that the projection has stopped before, as `GET /v1/projections` shows it'),
  reason: z.string().min(1).max(500).describe('For whoever audits the session'),
});
const response = z.object({
  projection: z.string(),
  position: z.string(),
  session: z.string(),
  revision: z.int(),
});

/** `POST /v1/projections/:name/skip` */
@Controller()
export class SkipProjectionController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/projections/:name/skip', {
    summary: 'Lets a stopped projection go on without the event of your tenant that it cannot take.',
    roles: ['operator', 'admin'],
    content: 'none',
    ofOperator: true,
    body,
    response,
    errors: ['unknown-projection', 'projection-not-stopped', 'corrupt-event', 'postgres-unavailable'],
  })
  async skip(
    @Param('name') name: string,
    @Body(valid(body)) { position, reason }: z.output<typeof body>,
    @CalledBy() { tenant, caller }: Calling,
  ) {
    const options = { position: LogPosition(BigInt(position)), reason, within: tenant };
    const skipped = await this.commands.execute(new SkipProjection(name, options, caller));
    return {
      projection: skipped.projection,
      position,
      session: skipped.session,
      revision: skipped.revision,
    };
  }
}
