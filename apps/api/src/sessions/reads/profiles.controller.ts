import { explainProfile, listProfiles } from '@app/application';
import { profileExplanation, profileSummary } from '@app/contract';
import { Controller, Param } from '@nestjs/common';
import { z } from 'zod';
import { Endpoint } from '../../http/endpoint.js';
import { READERS } from '../roles.js';

/** Routes below `/v1/profiles`. */
@Controller()
export class ProfilesController {
  @Endpoint('GET', 'v1/profiles', {
    id: 'listProfiles',
    summary: 'Lists the built-in profiles, the default first.',
    roles: READERS,
    content: 'none',
    response: z.array(profileSummary),
  })
  list() {
    return listProfiles();
  }

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
