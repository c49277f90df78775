import { ReadOccupancy } from '@app/application';
import { Controller, Inject, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';
import { revision } from '../shapes.js';

const query = z.strictObject({
  from: revision.optional().describe('The first revision; 0 by default'),
  to: revision.optional().describe('The last revision; the newest by default'),
  bins: z.coerce.number().int().min(1).max(2_000).default(400).describe('Points of the answer, at most'),
});

const threshold = z.int().describe('Billed tokens');
const point = z.looseObject({
  revision: z.int().describe('The newest of the bin that states an occupancy'),
  at: z.string(),
  occupancy: z.int().describe('Billed tokens of the next request; the parts below add up to it'),
  min: z.int().describe('The smallest of the bin'),
  max: z.int().describe('The largest of the bin'),
  system: z.int().describe('System prompt and tools'),
  pinned: z.int(),
  summary: z.int(),
  tail: z.int().describe('Everything else: the messages'),
  window: z.int().describe('Tokens; 0 is unlimited'),
});
const mark = z.looseObject({
  revision: z.int(),
  at: z.string(),
  type: z.string().describe('Type of the event'),
  compactionId: z.string().nullable(),
  trigger: z.string().nullable(),
  profile: z.string().nullable(),
  importedFrom: z
    .string()
    .nullable()
    .describe('Format of the transcript whose agent compacted; `null` for compactions of this service'),
  billedBefore: z.int().nullable(),
  billedAfter: z.int().nullable(),
  countedBefore: z.int().nullable(),
  countedAfter: z.int().nullable(),
  coveredMessages: z.int().nullable(),
  fidelity: z.number().min(0).max(1).nullable(),
  durationMs: z.number().nullable(),
  nanoUsd: z.number().nullable().describe('Billionths of a US dollar'),
  reason: z.string().nullable().describe('Given by a caller, or the rule that applied'),
});

const response = z.looseObject({
  session: z.string(),
  revision: z.int(),
  from: z.int(),
  to: z.int(),
  width: z.int().describe('Revisions of a bin'),
  occupancy: z.int().describe('Billed tokens of the next request now'),
  window: z.int().describe('Tokens; 0 is unlimited'),
  thresholds: z
    .looseObject({ warning: threshold, trigger: threshold, critical: threshold, blocking: threshold })
    .nullable()
    .describe('In force now; `null` without a window'),
  points: z.array(point).describe('Oldest first; bins without a stated occupancy are left out'),
  marks: z.array(mark).describe('Compactions and other events that stand out: the newest 2,000 of the range'),
  omittedMarks: z.int(),
});

/** `GET /v1/sessions/:session/occupancy` */
@Controller()
export class ReadOccupancyController {
  constructor(@Inject(QueryBus) private readonly queries: QueryBus) {}

  @Endpoint('GET', 'v1/sessions/:session/occupancy', {
    id: 'getOccupancy',
    summary:
      'Returns the occupancy of a session over its revisions in bins, with the events that changed it.',
    roles: READERS,
    content: 'none',
    query,
    response,
    isRevisioned: true,
    errors: ['session-not-found', 'revision-not-found'],
  })
  read(
    @Param('session') id: string,
    @Query(valid(query)) { from, to, bins }: z.output<typeof query>,
    @CalledBy() { session }: Calling,
  ) {
    const range = { bins, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    return this.queries.execute(new ReadOccupancy(session(id), range));
  }
}
