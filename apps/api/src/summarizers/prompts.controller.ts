import { ListOwnPrompts, RegisterPrompt, ShowOwnPrompt } from '@app/application';
import { PROMPT_PARTS } from '@app/domain';
import { shippedPrompts } from '@app/prompts';
import { Body, Controller, Param, Query } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { READERS } from '../sessions/roles.js';

const builtIn = z.object({
  version: z.string().describe('Version of the whole set of prompts, which events record as `promptVersion`'),
  prompts: z.array(
    z
      .object({
        name: z.string(),
        version: z.string().describe('First twelve hexadecimal digits of the SHA-256 of its text'),
        text: z.string(),
      })
      .meta({ id: 'Prompt', description: 'A built-in prompt' }),
  ),
});

const text = z.string().min(1).max(20_000).exactOptional();
const body = z.strictObject({
  texts: z
    .strictObject({ system: text, transcript: text, prefix: text, sections: text })
    .describe(
      'Replacements of built-in texts by name; each must have the placeholders (`{{name}}`) of the built-in text',
    ),
});
const part = z.enum(PROMPT_PARTS).meta({ id: 'PromptPart' });
const prompt = z
  .looseObject({
    name: z.string(),
    version: z.int(),
    hash: z.string().describe('SHA-256 of the texts as canonical JSON'),
    lengths: z.partialRecord(part, z.int()),
    registeredBy: z.string(),
    registeredAt: z.string(),
  })
  .meta({ id: 'OwnPrompt', description: 'An immutable version of a tenant’s prompt' });
const query = z.strictObject({
  version: z.coerce.number().int().min(1).exactOptional().describe('The newest version by default'),
});

/** `GET /v1/prompts`, and the tenant’s own prompts: `/v1/prompts/own` */
@Controller()
export class PromptsController extends BusController {
  @Endpoint('GET', 'v1/prompts', {
    id: 'listPrompts',
    summary: 'Lists the built-in prompts of the summarizers.',
    roles: READERS,
    content: 'none',
    response: builtIn,
  })
  list() {
    return shippedPrompts();
  }

  @Endpoint('GET', 'v1/prompts/own', {
    id: 'listOwnPrompts',
    summary: 'Lists every version of the tenant’s prompts, without their texts.',
    roles: ['operator', 'admin'],
    content: 'none',
    response: z.object({ prompts: z.array(prompt) }),
  })
  async listOwn(@CurrentCaller() { tenant }: ApiCaller) {
    return { prompts: await this.queries.execute(new ListOwnPrompts(tenant)) };
  }

  @Endpoint('GET', 'v1/prompts/own/:prompt', {
    id: 'getOwnPrompt',
    summary: 'Returns a prompt of the tenant with its texts.',
    roles: ['operator', 'admin'],
    content: 'none',
    query,
    response: prompt.extend({ texts: z.partialRecord(part, z.string()) }),
    errors: ['prompt-not-found'],
  })
  show(
    @Param('prompt') name: string,
    @Query(valid(query)) { version }: z.output<typeof query>,
    @CurrentCaller() { tenant }: ApiCaller,
  ) {
    const wanted = version === undefined ? name : `${name}@${version}`;
    return this.queries.execute(new ShowOwnPrompt(tenant, wanted));
  }

  @Endpoint('POST', 'v1/prompts/own/:prompt', {
    id: 'registerPrompt',
    summary: 'Registers a version of a prompt; an unchanged text adds no version.',
    roles: ['admin'],
    content: 'none',
    status: 201,
    body,
    response: prompt,
    errors: ['invalid-settings'],
  })
  register(
    @Param('prompt') name: string,
    @Body(valid(body)) { texts }: z.output<typeof body>,
    @CurrentCaller() { tenant, caller }: ApiCaller,
  ) {
    const given = Object.fromEntries(
      PROMPT_PARTS.flatMap((part) => (texts[part] === undefined ? [] : [[part, texts[part]]])),
    );
    return this.commands.execute(new RegisterPrompt(tenant, { name, texts: given }, caller));
  }
}
