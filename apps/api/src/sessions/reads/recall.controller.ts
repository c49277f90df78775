import { Recall } from '@app/application';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';
import { jsonObject } from '../shapes.js';

const body = jsonObject.describe('The input of the call, as the model wrote it');

const response = z.looseObject({
  content: z.string().describe('The text of the tool result, framed as data'),
  isError: z.boolean(),
  messages: z.array(z.string()),
});

/** `POST /v1/sessions/:session/recall` */
@Controller()
export class RecallController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('POST', 'v1/sessions/:session/recall', {
    id: 'recallHistory',
    summary: 'Answers a call of the recall_history tool from the recorded history.',
    roles: READERS,
    body,
    response,
    content: 'text',
    isRead: true,
    errors: ['session-not-found'],
  })
  recall(
    @Param('session') id: string,
    @Body(valid(body)) input: z.output<typeof body>,
    @CalledBy() { session }: Calling,
  ) {
    return this.queries.execute(new Recall(session(id), input));
  }
}
