import { ReportOverflow } from '@app/application';
import { overflowAnswer } from '@app/contract';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { WRITERS } from '../roles.js';
import { withOverflowFacts } from './with-overflow-facts.js';

const body = z.strictObject({
  message: z.string().min(1).max(10_000).describe('What the provider said'),
  status: z.int().min(100).max(599).optional().describe('Its HTTP status'),
  code: z.string().max(200).optional().describe('Its name for the error'),
});

/** `POST /v1/sessions/:session/report-overflow` */
@Controller()
export class ReportOverflowController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/sessions/:session/report-overflow', {
    id: 'reportOverflow',
    summary: 'Reports a context overflow error of the provider.',
    roles: WRITERS,
    content: 'none',
    body,
    response: overflowAnswer,
    errors: ['session-not-found', 'session-closed', 'context-overflow', 'compaction-timed-out'],
  })
  report(
    @Param('session') id: string,
    @Body(valid(body)) { message, status, code }: z.output<typeof body>,
    @CurrentCaller() { session, caller }: ApiCaller,
  ) {
    const error = { message, ...(status !== undefined && { status }), ...(code !== undefined && { code }) };
    return withOverflowFacts(this.commands.execute(new ReportOverflow(session(id), error, caller)));
  }
}
