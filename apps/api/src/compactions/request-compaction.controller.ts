import { outcomeView, PlanCompaction, RequestCompaction, WhatIf } from '@app/application';
import {
  compactionOutcome,
  plannedCompaction,
  profileSource,
  requestedCompaction,
  whatIfView,
} from '@app/contract';
import { Body, Controller, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { type ApiCaller, BusController, CurrentCaller } from '../http/controller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { MANAGERS, READERS } from '../sessions/roles.js';

const planCompactionBody = z.strictObject({
  profile: profileSource.exactOptional().describe('A policy in place of the session’s'),
});

const requestCompactionQuery = z.strictObject({
  wait: z
    .stringbool()
    .default(false)
    .describe('Whether to wait for the end of the compaction and return its outcome'),
});

const CompactionRequestBody = z
  .strictObject({
    trigger: z
      .enum(['explicit', 'policy', 'requested-mid-turn'])
      .default('explicit')
      .describe(
        'Cause of the request: the user, the policy of a workflow, or a caller that waits for the end of the turn',
      ),
    profile: profileSource
      .exactOptional()
      .describe('A policy in place of the session’s, for this compaction only'),
    instructions: z.string().max(10_000).exactOptional().describe('Focus of the summary'),
  })
  .meta({ id: 'CompactionRequest' });

const compareProfilesBody = z.strictObject({
  profiles: z.array(profileSource).max(20).default([]).describe('Profiles to compare; all by default'),
});

/** Requests a compaction, or plans it only. */
@Controller()
export class RequestCompactionController extends BusController {
  @Endpoint('POST', 'v1/sessions/:session/plan', {
    id: 'planCompaction',
    summary: 'Returns the plan of a compaction without running it.',
    roles: READERS,
    content: 'none',
    isRead: true,
    body: planCompactionBody,
    response: plannedCompaction,
    errors: ['session-not-found', 'unknown-profile', 'invalid-settings'],
  })
  async plan(
    @Body(valid(planCompactionBody)) { profile: other }: z.output<typeof planCompactionBody>,
    @CurrentCaller() { ref }: ApiCaller,
  ) {
    return this.queries.execute(new PlanCompaction(ref, other));
  }

  @Endpoint('POST', 'v1/sessions/:session/compactions', {
    id: 'requestCompaction',
    summary: 'Requests a compaction and returns its ID, or its outcome with `wait=true`.',
    roles: MANAGERS,
    content: { in: ['summary', 'fileOperations'] },
    query: requestCompactionQuery,
    body: CompactionRequestBody,
    response: z.union([requestedCompaction, compactionOutcome]),
    alsoStatus: 202,
    errors: [
      'session-not-found',
      'session-closed',
      'unknown-profile',
      'invalid-settings',
      'turn-in-progress',
      'compaction-disabled',
      'compaction-timed-out',
    ],
  })
  async request(
    @Query(valid(requestCompactionQuery)) { wait }: z.output<typeof requestCompactionQuery>,
    @Body(valid(CompactionRequestBody)) request: z.output<typeof CompactionRequestBody>,
    @CurrentCaller() { ref, caller }: ApiCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const requested = await this.commands.execute(new RequestCompaction(ref, request, caller));
    const { status, compactionId } = requested;
    void reply.header('location', `/v1/sessions/${ref.session}/compactions/${compactionId}`);
    // A deferred compaction may never start: its turn may never end.
    if (wait && status !== 'deferred')
      return outcomeView(await this.engine.outcomes.outcomeOf(ref, compactionId));
    if (status !== 'skipped') void reply.status(202);
    return requested;
  }

  @Endpoint('POST', 'v1/sessions/:session/what-if', {
    id: 'compareProfiles',
    summary: 'Compares the compactions of a session under several profiles without running one.',
    roles: READERS,
    content: 'none',
    isRead: true,
    body: compareProfilesBody,
    response: whatIfView,
    errors: ['session-not-found', 'unknown-profile', 'invalid-settings', 'compaction-disabled'],
  })
  try(
    @Body(valid(compareProfilesBody)) { profiles }: z.output<typeof compareProfilesBody>,
    @CurrentCaller() { ref }: ApiCaller,
  ) {
    return this.queries.execute(new WhatIf(ref, profiles));
  }
}
