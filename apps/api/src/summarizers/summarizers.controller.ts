import { ConfigureSummarizers, GetSummarizers } from '@app/application';
import { wireFormat } from '@app/contract';
import { PROMPT_NAME, SUMMARIZER_NAME } from '@app/domain';
import { Body, Controller } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { modelName } from '../sessions/shapes.js';

const FORM = '1 to 64 letters, digits, ".", "_" or "-", beginning with a letter or digit';
const name = z.string().regex(SUMMARIZER_NAME, `give ${FORM}`);
const promptName = z.string().regex(PROMPT_NAME, `give NAME or NAME@VERSION; a name is ${FORM}`);
const link = z
  .discriminatedUnion('provider', [
    z.strictObject({ provider: z.literal('extractive') }),
    z.strictObject({
      provider: wireFormat,
      model: modelName.exactOptional().describe('The session’s model by default'),
      secret: name.describe('The name of the secret that holds the key'),
      prompt: promptName
        .exactOptional()
        .describe('A prompt of the tenant: NAME or NAME@VERSION; the profile’s prompt by default'),
    }),
  ])
  .meta({ id: 'SummarizerLink' });
const summarizers = z
  .strictObject({
    default: name
      .nullable()
      .describe('Summarizer that profiles call `default`; `null` for the operator’s configuration'),
    summarizers: z.record(name, z.array(link)).describe('Fallback chains by name, in order of use'),
  })
  .meta({ id: 'TenantSummarizers' });

/** `GET /v1/summarizers` and `PUT /v1/summarizers` */
@Controller()
export class SummarizersController extends BusController {
  @Endpoint('GET', 'v1/summarizers', {
    id: 'getSummarizers',
    summary: 'Returns the tenant’s summarizers.',
    roles: ['operator', 'admin'],
    content: 'none',
    response: summarizers,
  })
  show(@CurrentCaller() { tenant }: ApiCaller) {
    return this.queries.execute(new GetSummarizers(tenant));
  }

  @Endpoint('PUT', 'v1/summarizers', {
    id: 'replaceSummarizers',
    summary: 'Replaces the tenant’s summarizers.',
    roles: ['admin'],
    content: 'none',
    body: summarizers,
    response: summarizers,
    errors: ['invalid-settings'],
  })
  configure(
    @Body(valid(summarizers)) given: z.output<typeof summarizers>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    return this.commands.execute(new ConfigureSummarizers(tenant, given, caller));
  }
}
