import { ReportEdits } from '@app/application';
import { editsReported } from '@app/contract';
import { providerEditsFrom } from '@app/formats';
import { isJsonObject, type Json } from '@app/kernel';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { WRITERS } from '../roles.js';

const body = z
  .custom<Json>((value) => isJsonObject(value) || Array.isArray(value), 'give an object or a list')
  .transform((value, context) => {
    const report = providerEditsFrom(value);
    if (report) return report;
    context.addIssue({
      code: 'custom',
      message: 'it has neither context_management nor content, and is no list of edits',
    });
    return z.NEVER;
  })
  .meta({ description: 'An answer of Anthropic’s messages, or the list of its `applied_edits`' });

/** `POST /v1/sessions/:session/report-edits` */
@Controller()
export class ReportEditsController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/sessions/:session/report-edits', {
    id: 'reportEdits',
    summary: 'Reports the context edits that the provider applied.',
    roles: WRITERS,
    content: 'none',
    body,
    response: editsReported,
    errors: ['session-not-found', 'session-closed'],
  })
  report(
    @Param('session') id: string,
    @Body(valid(body)) report: z.output<typeof body>,
    @CurrentCaller() { session, caller }: ApiCaller,
  ) {
    return this.commands.execute(new ReportEdits(session(id), report, caller));
  }
}
