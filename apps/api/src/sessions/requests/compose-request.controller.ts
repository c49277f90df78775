import { ComposeRequest } from '@app/application';
import { composed, ladderPolicy, wireFormat } from '@app/contract';
import { largestText, remedyTexts } from '@app/domain';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { DetailedRefusal } from '../../http/problems.js';
import { valid } from '../../http/valid.js';
import { WRITERS } from '../roles.js';

import { reasoned } from '../shapes.js';
import { withOverflowFacts } from './with-overflow-facts.js';

const body = z
  .strictObject({
    format: wireFormat.default('anthropic').describe('Whose request'),
    override: reasoned.optional().describe('This one turn goes on although a compaction is required'),
    ladder: ladderPolicy
      .optional()
      .describe('In the place of the profile’s, for this request: `off` answers with the error'),
    contributions: z
      .array(z.strictObject({ name: z.string(), text: z.string() }))
      .max(100)
      .default([])
      .describe('Content for this request alone'),
  })
  .meta({ id: 'ComposeOptions' });

/** `POST /v1/sessions/:session/compose` */
@Controller()
export class ComposeRequestController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/sessions/:session/compose', {
    id: 'composeRequest',
    summary: 'Composes the next provider request of a session.',
    roles: WRITERS,
    content: 'request',
    body,
    response: composed,
    errors: [
      'session-not-found',
      'session-closed',
      'request-refused',
      'context-overflow',
      'invalid-settings',
    ],
  })
  async compose(
    @Param('session') id: string,
    @Body(valid(body)) { format, override, ladder, contributions }: z.output<typeof body>,
    @CurrentCaller() { session, caller }: ApiCaller,
  ) {
    const options = { format, contributions, ...(override && { override }), ...(ladder && { ladder }) };
    const answer = await withOverflowFacts(
      this.commands.execute(new ComposeRequest(session(id), options, caller)),
    );
    if (answer.outcome === 'composed') return answer;
    const { occupancy, window, threshold, largest, remedies } = answer;
    const message =
      `the request is refused: the session occupies ${occupancy} of ${window} billed tokens, and the limit is ${threshold}` +
      `${largest ? `; ${largestText(largest)}` : ''}`;
    throw new DetailedRefusal('request-refused', `${message}: ${remedyTexts(remedies)}`, answer);
  }
}
