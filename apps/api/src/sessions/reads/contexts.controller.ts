import { DiffContexts, GetContext, ReadOccupancy, ReadRetention } from '@app/application';
import { contextDiff, contextView, occupancySeries, retentionMap, wireFormat } from '@app/contract';
import { Controller, Query } from '@nestjs/common';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../../http/controller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid } from '../../http/valid.js';
import { READERS } from '../roles.js';
import { asOf, revision } from '../shapes.js';

const getContextQuery = z.strictObject({
  format: wireFormat.default('anthropic').describe('Provider format of the request'),
  asOf: asOf
    .exactOptional()
    .describe(
      'A revision or a time (ISO 8601) for the context at that state; the ID of a request for that request',
    ),
});

const diffContextsQuery = z.strictObject({
  a: asOf.describe('First state: a revision, a time (ISO 8601) or the ID of a request'),
  b: asOf.describe('Second state, before or after the first'),
  content: z.stringbool().default(false).describe('Whether to include the text of messages and summaries'),
});

const getOccupancyQuery = z.strictObject({
  from: revision.exactOptional().describe('The first revision; 0 by default'),
  to: revision.exactOptional().describe('The last revision; the newest by default'),
  bins: z.coerce.number().int().min(1).max(2_000).default(400).describe('Maximum number of points'),
  axis: z
    .enum(['revision', 'time'])
    .default('revision')
    .describe('Axis of the bins: revisions, or time of activity without idle times'),
  idleAfterSeconds: z.coerce
    .number()
    .int()
    .min(1)
    .max(86_400)
    .default(300)
    .describe('For bins of time: minimum length of a pause that counts as idle'),
});

const getRetentionMapQuery = z.strictObject({
  from: z.coerce.number().int().min(0).max(1_000_000_000).default(0).describe('The first turn'),
  turns: z.coerce.number().int().min(1).max(500).default(100).describe('Maximum number of turns'),
});

/** Reads of a session’s contexts, and their sizes. */
@Controller()
export class ContextsController extends BusController {
  @Endpoint('GET', 'v1/sessions/:session/context', {
    id: 'getContext',
    summary: 'Returns the context of a session, now or as of a revision, time or request.',
    roles: READERS,
    content: { in: ['request', 'body', 'systemPrompt', 'tools'] },
    query: getContextQuery,
    response: contextView,
    isRevisioned: true,
    errors: ['session-not-found', 'revision-not-found', 'request-not-found'],
  })
  get(
    @Query(valid(getContextQuery)) { format, asOf: state }: z.output<typeof getContextQuery>,
    @CurrentCaller() { ref }: ApiCaller,
  ) {
    return this.queries.execute(new GetContext(ref, format, state));
  }

  @Endpoint('GET', 'v1/sessions/:session/diff', {
    id: 'diffContexts',
    summary: 'Compares the contexts of two states of a session.',
    roles: READERS,
    content: {
      in: ['messages.onlyInA[].content', 'messages.onlyInB[].content', 'a.summary.text', 'b.summary.text'],
    },
    query: diffContextsQuery,
    response: contextDiff,
    errors: ['session-not-found', 'revision-not-found', 'request-not-found'],
  })
  diff(
    @Query(valid(diffContextsQuery)) { a, b, content }: z.output<typeof diffContextsQuery>,
    @CurrentCaller() { ref }: ApiCaller,
  ) {
    return this.queries.execute(new DiffContexts(ref, { a, b, content }));
  }

  @Endpoint('GET', 'v1/sessions/:session/occupancy', {
    id: 'getOccupancy',
    summary:
      'Returns the occupancy of a session over its revisions or over time in bins, with the events that changed it.',
    roles: READERS,
    content: 'none',
    query: getOccupancyQuery,
    response: occupancySeries,
    isRevisioned: true,
    errors: ['session-not-found', 'revision-not-found', 'projection-behind'],
  })
  read(
    @Query(valid(getOccupancyQuery)) { axis, idleAfterSeconds, ...range }: z.output<typeof getOccupancyQuery>,
    @CurrentCaller() { ref }: ApiCaller,
  ) {
    const idle = axis === 'time' && { idleAfterMs: idleAfterSeconds * 1_000 };
    return this.queries.execute(new ReadOccupancy(ref, { ...range, ...idle }));
  }

  @Endpoint('GET', 'v1/sessions/:session/retention-map', {
    id: 'getRetentionMap',
    summary: 'Returns the effect of each compaction of a session on each turn of a range.',
    roles: READERS,
    content: 'none',
    query: getRetentionMapQuery,
    response: retentionMap,
    isRevisioned: true,
    errors: ['session-not-found', 'projection-behind'],
  })
  getRetentionMap(
    @Query(valid(getRetentionMapQuery)) range: z.output<typeof getRetentionMapQuery>,
    @CurrentCaller() { ref }: ApiCaller,
  ) {
    return this.queries.execute(new ReadRetention(ref, range));
  }
}
