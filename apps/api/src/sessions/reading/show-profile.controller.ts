import { explainProfile } from '@app/application';
import { Controller, Param } from '@nestjs/common';
import { z } from 'zod';
import { Endpoint } from '../../http/endpoint.js';
import { READERS } from '../roles.js';

const response = z.object({ profile: z.string(), fields: z.array(z.looseObject({ field: z.string() })) });

/** `GET /v1/profiles/:profile` */
@Controller()
export class ShowProfileController {
  @Endpoint('GET', 'v1/profiles/:profile', {
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
