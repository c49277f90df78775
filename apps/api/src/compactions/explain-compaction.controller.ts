import { ExplainCompaction } from '@app/application';
import { CompactionId } from '@app/kernel';
import { Controller, Inject, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../http/calling.js';
import { Endpoint } from '../http/endpoint.js';
import { READERS } from '../sessions/roles.js';

const response = z.looseObject({
  session: z.string(),
  compactionId: z.string(),
  kind: z.enum(['compaction', 'reset', 'fork']),
});

/** `GET /v1/sessions/:session/compactions/:compaction` */
@Controller()
export class ExplainCompactionController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session/compactions/:compaction', {
    summary:
      'Shows and explains a compaction, a reset or a fork: why then, why this cut, what has become of it.',
    roles: READERS,
    content: { in: ['lost'] },
    response,
    errors: ['session-not-found', 'compaction-not-found', 'invalid-id'],
  })
  explain(
    @Param('session') id: string,
    @Param('compaction') compaction: string,
    @CalledBy() { session }: Calling,
  ) {
    return this.queries.execute(new ExplainCompaction(session(id), CompactionId(compaction)));
  }
}
