import { eventSchemas } from '@app/adapters/event-store-db';
import { jsonObject } from '@app/contract';
import { Controller } from '@nestjs/common';
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
    response: jsonObject,
  })
  describe() {
    this.#document ??= asyncApiOf(eventSchemas());
    return this.#document;
  }
}
