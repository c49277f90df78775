import { GetContext } from '@app/application';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';
import { asOf, budgetState, jsonObject, turnRetention, wireFormat, wireNote } from '../shapes.js';

const query = z.strictObject({
  format: wireFormat.default('anthropic').describe('Whose request'),
  asOf: asOf
    .optional()
    .describe(
      'The context as of a revision or a time (ISO 8601); as of the id of a request, that very request',
    ),
});

const response = z.looseObject({
  format: wireFormat,
  notes: z.array(wireNote),
  violations: z
    .array(z.looseObject({ rule: z.string(), at: z.int() }))
    .describe('Rules of the provider that the request breaks'),
  request: jsonObject,
  requestId: z.string().nullable().describe('The request that was asked for'),
  digestMatches: z
    .boolean()
    .nullable()
    .describe('Whether the SHA-256 of its body is the recorded one; null where no request was asked for'),
  body: z.string().nullable().describe('The exact JSON text of the request that was asked for'),
  systemPrompt: z.string().describe('The system prompt in force'),
  tools: z.array(jsonObject).describe('The tools in force'),
  revision: z.int(),
  tokens: z.int(),
  window: z.int(),
  state: budgetState,
  pivot: z.string().nullable(),
  retainedFrom: z.string().nullable(),
  retention: z.array(turnRetention),
});

/** `GET /v1/sessions/:session/context` */
@Controller()
export class GetContextController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session/context', {
    id: 'getContext',
    summary: 'Returns the context of a session, now or as of a revision, time or request.',
    roles: READERS,
    content: { in: ['request', 'body', 'systemPrompt', 'tools'] },
    query,
    response,
    isRevisioned: true,
    errors: ['session-not-found', 'revision-not-found', 'request-not-found'],
  })
  get(
    @Param('session') id: string,
    @Query(valid(query)) { format, asOf: state }: z.output<typeof query>,
    @CalledBy() { session }: Calling,
  ) {
    return this.queries.execute(new GetContext(session(id), format, state));
  }
}
