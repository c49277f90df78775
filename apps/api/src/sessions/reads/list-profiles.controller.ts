import { listProfiles } from '@app/application';
import { profileSummary } from '@app/contract';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { Endpoint } from '../../http/endpoint.js';
import { READERS } from '../roles.js';

/** `GET /v1/profiles` */
@Controller()
export class ListProfilesController {
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
}
