import { ReadRetention } from '@app/application';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';
import { pivotKind } from '../shapes.js';

const query = z.strictObject({
  from: z.coerce.number().int().min(0).max(1_000_000_000).default(0).describe('The first turn'),
  turns: z.coerce.number().int().min(1).max(500).default(100).describe('Turns of the answer, at most'),
});

const column = z.looseObject({
  compactionId: z.string(),
  kind: pivotKind,
  revision: z.int(),
  at: z.string(),
  turn: z.int().describe('In which it happened'),
  importedFrom: z
    .string()
    .nullable()
    .describe('Format of the transcript whose agent compacted; `null` for compactions of this service'),
  isReverted: z.boolean(),
  isInForce: z.boolean(),
});
const cell = z.looseObject({ rule: z.string(), toolOutputs: z.string(), reasoning: z.string() });

const response = z.looseObject({
  session: z.string(),
  revision: z.int(),
  turns: z.int().describe('The newest turn of the session'),
  from: z.int(),
  columns: z.array(column).describe('Compactions, resets and forks, oldest first: the newest 200'),
  omittedColumns: z.int(),
  rows: z
    .array(
      z.looseObject({
        turn: z.int(),
        from: z.string().describe('Its first message'),
        to: z.string().describe('Its last message'),
        messages: z.int(),
        tokens: z.int().describe('Counted, as they were appended'),
        cells: z.array(cell.nullable()).describe('One for each column; `null` where it recorded nothing'),
      }),
    )
    .describe('By turn'),
});

/** `GET /v1/sessions/:session/retention` */
@Controller()
export class ReadRetentionController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session/retention', {
    id: 'getRetention',
    summary: 'Returns what each compaction of a session did with each turn of a range.',
    roles: READERS,
    content: 'none',
    query,
    response,
    isRevisioned: true,
    errors: ['session-not-found'],
  })
  read(
    @Param('session') id: string,
    @Query(valid(query)) range: z.output<typeof query>,
    @CalledBy() { session }: Calling,
  ) {
    return this.queries.execute(new ReadRetention(session(id), range));
  }
}
