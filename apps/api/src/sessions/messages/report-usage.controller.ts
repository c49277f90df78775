import { ReportUsage } from '@app/application';
import { usageTaken } from '@app/contract';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { WRITERS } from '../roles.js';
import { modelName, usage } from '../shapes.js';

const body = z.strictObject({
  usage: usage.describe('Billed tokens of one request and its answer'),
  model: modelName.optional().describe('The model that answered; the session’s by default'),
});

/** `POST /v1/sessions/:session/usage` */
@Controller()
export class ReportUsageController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/sessions/:session/usage', {
    id: 'reportSessionUsage',
    summary: 'Reports the billed usage of one request, apart from its answer.',
    roles: WRITERS,
    content: 'none',
    body,
    response: usageTaken,
    errors: ['session-not-found', 'request-not-found'],
  })
  report(
    @Param('session') id: string,
    @Body(valid(body)) { usage, model }: z.output<typeof body>,
    @CurrentCaller() { session, caller }: ApiCaller,
  ) {
    return this.commands.execute(new ReportUsage(session(id), usage, caller, model));
  }
}
