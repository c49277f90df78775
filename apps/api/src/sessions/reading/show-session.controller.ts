import { ShowSession } from '@app/application';
import { Controller, Inject, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { READERS } from '../roles.js';
import { jsonObject, pin } from '../shapes.js';

const response = z.looseObject({
  session: z.string(),
  revision: z.int(),
  status: z.enum(['open', 'closed']),
  parent: z.string().nullable(),
  labels: z.record(z.string(), z.string()),
  settings: z.looseObject({ model: z.string(), profile: jsonObject, limits: jsonObject }),
  budget: z.object({ occupancy: z.int(), window: z.int(), state: z.string() }),
  pins: z.array(pin),
  messages: z.int(),
  turn: z.int(),
  isInTurn: z.boolean(),
  compactions: z.int(),
  pivot: z.string().nullable().describe('The compaction, reset or fork that the context begins with'),
  compaction: z
    .object({ compactionId: z.string(), status: z.enum(['requested', 'deferred']) })
    .nullable()
    .describe('The compaction that is asked for, under way or waiting'),
  hold: jsonObject.nullable().describe('On whose word automatic compactions wait'),
});

/** `GET /v1/sessions/:session` */
@Controller()
export class ShowSessionController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session', {
    summary: 'Shows the state, settings, pins and budget of a session, as of this instant.',
    roles: READERS,
    content: { in: ['pins[].text'] },
    response,
    isRevisioned: true,
    errors: ['session-not-found'],
  })
  show(@Param('session') id: string, @CalledBy() { session }: Calling) {
    return this.queries.execute(new ShowSession(session(id)));
  }
}
