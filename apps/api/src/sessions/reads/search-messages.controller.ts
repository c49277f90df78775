import {
  SEARCH_MATCHES_DEFAULT,
  SEARCH_MATCHES_MAX,
  SEARCH_TEXT_MAX,
  SearchMessages,
} from '@app/application';
import { textMatches } from '@app/contract';
import { MessageId } from '@app/kernel';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';

const query = z.strictObject({
  text: z
    .string()
    .min(1)
    .max(SEARCH_TEXT_MAX)
    .describe('Text to find; case and the kind of white space do not matter'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(SEARCH_MATCHES_MAX)
    .default(SEARCH_MATCHES_DEFAULT)
    .describe('Stop after the message with this match'),
  before: z.string().max(200).optional().describe('`before` of the previous answer: continue there'),
});

/** `GET /v1/sessions/:session/search` */
@Controller()
export class SearchMessagesController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session/search', {
    id: 'searchMessages',
    summary: 'Searches the original messages of a session for a text, newest first.',
    roles: READERS,
    query,
    response: textMatches,
    content: 'text',
    errors: ['session-not-found', 'message-not-found', 'invalid-id', 'invalid-settings'],
  })
  search(
    @Param('session') id: string,
    @Query(valid(query)) { text, limit, before }: z.output<typeof query>,
    @CurrentCaller() { session }: ApiCaller,
  ) {
    const options = { limit, ...(before !== undefined && { before: MessageId(before) }) };
    return this.queries.execute(new SearchMessages(session(id), text, options));
  }
}
