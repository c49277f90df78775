import { explainProfile } from '@app/application';
import { Controller, Param } from '@nestjs/common';
import { z } from 'zod';
import { Endpoint } from '../../http/endpoint.js';
import { READERS } from '../roles.js';

const response = z.object({
  profile: z.string(),
  fields: z.array(
    z
      .object({
        field: z.string(),
        value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]).optional(),
        says: z.string().describe('Its effect'),
        expects: z.string().describe('Its valid values'),
        theme: z.string(),
        isDefault: z.boolean(),
      })
      .meta({ id: 'ExplainedField' }),
  ),
});

/** `GET /v1/profiles/:profile` */
@Controller()
export class ShowProfileController {
  @Endpoint('GET', 'v1/profiles/:profile', {
    id: 'getProfile',
    summary: 'Explains a profile field by field.',
    roles: READERS,
    content: 'none',
    response,
    errors: ['unknown-profile'],
  })
  show(@Param('profile') name: string) {
    return { profile: name, fields: explainProfile(name) };
  }
}
