import { ComposeRequest } from '@app/application';
import { largestText, remedyTexts } from '@app/domain';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { DetailedRefusal } from '../../http/problems.js';
import { valid } from '../../http/valid.js';
import { WRITERS } from '../roles.js';
import {
  budgetBanner,
  budgetState,
  jsonObject,
  ladderPolicy,
  reasoned,
  wireFormat,
  wireNote,
} from '../shapes.js';
import { withOverflowFacts } from './with-overflow-facts.js';

const body = z.strictObject({
  format: wireFormat.default('anthropic').describe('Whose request'),
  override: reasoned.optional().describe('This one turn goes on although a compaction is required'),
  ladder: ladderPolicy
    .optional()
    .describe('In the place of the profile’s, for this request: `off` answers with the error'),
  contributions: z
    .array(z.strictObject({ name: z.string(), text: z.string() }))
    .max(100)
    .default([])
    .describe('What this one request carries besides the session'),
});

const response = z.looseObject({
  outcome: z.literal('composed'),
  requestId: z.string().describe('Names the request: its bill is reported under it'),
  format: wireFormat,
  revision: z.int(),
  turn: z.int(),
  window: z.int(),
  state: budgetState,
  epoch: z.int().describe('Rises with each change of the prefix'),
  stages: z.array(z.string()).describe('Stages that made the request smaller'),
  notes: z.array(wireNote),
  occupancy: z.int().describe('Billed tokens of the request'),
  counted: z.int().describe('Counted tokens of the same'),
  digest: z.string().describe('SHA-256 of `body`'),
  parts: z
    .object({
      systemPrompt: z.string(),
      tools: z.string(),
      contributions: z.string().optional(),
      client: z.string().optional(),
    })
    .describe('SHA-256 of the parts of the request that are not history'),
  maxOutput: z.int().describe('The longest answer that the request asks for, in tokens'),
  banner: budgetBanner,
  request: jsonObject,
  body: z.string().describe('The request as it was digested: to be sent as it is'),
});

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
    @Body(valid(body)) { format, override, ladder, contributions }: z.output<typeof body>,
    @CalledBy() { session, caller }: Calling,
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
