import { shippedPrompts } from '@app/prompts';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { Endpoint } from '../http/endpoint.js';
import { READERS } from '../sessions/roles.js';

const response = z.object({
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

/** `GET /v1/prompts` */
@Controller()
export class ListPromptsController {
  @Endpoint('GET', 'v1/prompts', {
    id: 'listPrompts',
    summary: 'Lists the built-in prompts of the summarizers.',
    roles: READERS,
    content: 'none',
    response,
  })
  list() {
    return shippedPrompts();
  }
}
