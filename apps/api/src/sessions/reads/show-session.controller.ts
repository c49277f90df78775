import { ShowSession } from '@app/application';
import { Controller, Inject, Param } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { shownLabels } from '../description.js';
import { READERS } from '../roles.js';
import { budgetNotes, budgetState, jsonObject, pin, sessionLimits } from '../shapes.js';

const response = z.looseObject({
  session: z.string(),
  revision: z.int(),
  status: z.enum(['open', 'closed']),
  parent: z.string().nullable(),
  title: z.string().nullable(),
  agent: z.string().nullable().describe('The program that carries it on'),
  project: z.string().nullable(),
  labels: shownLabels,
  settings: z.looseObject({ model: z.string(), profile: jsonObject, limits: sessionLimits }),
  budget: z.object({ occupancy: z.int(), window: z.int(), state: budgetState, ...budgetNotes }),
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
  hold: z
    .looseObject({
      until: z.enum(['turn-end', 'released']),
      by: z.string(),
      reason: z.string(),
      turn: z.int(),
    })
    .nullable()
    .describe('On whose word automatic compactions wait'),
});

/** `GET /v1/sessions/:session` */
@Controller()
export class ShowSessionController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session', {
    id: 'getSession',
    summary: 'Returns the state, settings, pins and budget of a session.',
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
