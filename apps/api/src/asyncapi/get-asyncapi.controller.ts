import { eventSchemas } from '@app/adapters/event-store-db';
import { Controller } from '@nestjs/common';
import { z } from 'zod';
import { Endpoint } from '../http/endpoint.js';
import { asyncApiOf } from './asyncapi.js';

/** `GET /asyncapi.json` */
@Controller()
export class GetAsyncApiController {
  /** Built on the first request. */
  #document: ReturnType<typeof asyncApiOf> | undefined;

  @Endpoint('GET', 'asyncapi.json', {
    id: 'getAsyncApi',
    summary: 'Returns the AsyncAPI 3 description of the event stream and webhooks.',
    roles: 'public',
    content: 'none',
    response: z.looseObject({ asyncapi: z.string() }),
  })
  describe() {
    this.#document ??= asyncApiOf(eventSchemas());
    return this.#document;
  }
}
