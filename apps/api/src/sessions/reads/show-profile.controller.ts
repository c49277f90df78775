import { explainProfile } from '@app/application';
import { profileExplanation } from '@app/contract';
import { Controller, Param } from '@nestjs/common';
import { Endpoint } from '../../http/endpoint.js';
import { READERS } from '../roles.js';

/** `GET /v1/profiles/:profile` */
@Controller()
export class ShowProfileController {
  @Endpoint('GET', 'v1/profiles/:profile', {
    id: 'getProfile',
    summary: 'Explains a profile field by field.',
    roles: READERS,
    content: 'none',
    response: profileExplanation,
    errors: ['unknown-profile'],
  })
  show(@Param('profile') name: string) {
    return { profile: name, fields: explainProfile(name) };
  }
}
