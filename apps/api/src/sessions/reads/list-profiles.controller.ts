import { listProfiles } from '@app/application';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { Endpoint } from '../../http/endpoint.js';
import { READERS } from '../roles.js';

const response = z.array(
  z.looseObject({
    name: z.string(),
    mode: z.string(),
    stages: z.array(z.string()),
    description: z.string(),
  }),
);

/** `GET /v1/profiles` */
@Controller()
export class ListProfilesController {
  @Endpoint('GET', 'v1/profiles', {
    id: 'listProfiles',
    summary: 'Lists the built-in profiles, the default first.',
    roles: READERS,
    content: 'none',
    response,
  })
  list() {
    return listProfiles();
  }
}
