import { Recall } from '@app/application';
import { jsonObject, recalled } from '@app/contract';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';

const body = jsonObject.describe('The input of the call, as the model wrote it');

/** `POST /v1/sessions/:session/recall` */
@Controller()
export class RecallController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('POST', 'v1/sessions/:session/recall', {
    id: 'recallHistory',
    summary: 'Answers a call of the recall_history tool from the recorded history.',
    roles: READERS,
    body,
    response: recalled,
    content: 'text',
    isRead: true,
    errors: ['session-not-found'],
  })
  recall(
    @Param('session') id: string,
    @Body(valid(body)) input: z.output<typeof body>,
    @CurrentCaller() { session }: ApiCaller,
  ) {
    return this.queries.execute(new Recall(session(id), input));
  }
}
