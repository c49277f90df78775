import { ComposeRequest } from '@app/application';
import { WIRE_FORMATS } from '@app/domain';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { DetailedRefusal } from '../../http/problems.js';
import { valid } from '../../http/valid.js';
import { TALKERS } from '../roles.js';
import { jsonObject, reason } from '../shapes.js';

const body = z.strictObject({
  format: z.enum(WIRE_FORMATS).default('anthropic').describe('Whose request'),
  override: z
    .strictObject({ reason })
    .optional()
    .describe('This one turn goes on although a compaction is required'),
  contributions: z
    .array(z.strictObject({ name: z.string(), text: z.string() }))
    .max(100)
    .default([])
    .describe('What this one request carries besides the session'),
});

const response = z.looseObject({
  outcome: z.literal('composed'),
  requestId: z.string().describe('Names the request: its bill is reported under it'),
  revision: z.int(),
  occupancy: z.int().describe('Billed tokens of the request'),
  counted: z.int().describe('Counted tokens of the same'),
  digest: z.string().describe('SHA-256 of `body`'),
  banner: z.looseObject({ state: z.string() }).nullable(),
  request: jsonObject,
  body: z.string().describe('The request as it was digested: to be sent as it is'),
});

/** `POST /v1/sessions/:session/compose` */
@Controller()
export class ComposeRequestController {
  constructor(@Inject(CommandBus) private readonly commands: CommandBus) {}

  @Endpoint('POST', 'v1/sessions/:session/compose', {
    summary:
      'Composes the next request, and waits for a compaction that must come first; a refusal names the ways out.',
    roles: TALKERS,
    content: 'request',
    body,
    response,
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
    @Body(valid(body)) { format, override, contributions }: z.output<typeof body>,
    @CalledBy() { session, caller }: Calling,
  ) {
    const options = { format, contributions, ...(override && { override }) };
    const answer = await this.commands.execute(new ComposeRequest(session(id), options, caller));
    if (answer.outcome === 'composed') return answer;
    const { occupancy, window, threshold } = answer;
    const message = `no request goes out: the session fills ${occupancy} of ${window} billed tokens, and ${threshold} is the limit`;
    throw new DetailedRefusal('request-refused', `${message}: see waysOut`, answer);
  }
}
