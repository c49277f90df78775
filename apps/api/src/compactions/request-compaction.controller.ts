import { type OutcomeWaiter, outcomeView, RequestCompaction } from '@app/application';
import { compactionOutcome, profileSource, requestedCompaction } from '@app/contract';
import { Body, Controller, Inject, Param, Query, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { valid } from '../http/valid.js';
import { MANAGERS } from '../sessions/roles.js';
import { OUTCOMES } from '../symbols.js';

const query = z.strictObject({
  wait: z.stringbool().default(false).describe('Answer when the compaction has ended, with its outcome'),
});
const body = z
  .strictObject({
    trigger: z
      .enum(['explicit', 'policy', 'requested-mid-turn'])
      .default('explicit')
      .describe(
        'Who wants it: the user, the policy of a workflow, or a caller that waits for the end of the turn',
      ),
    profile: profileSource.optional().describe('Another policy than the session’s, for this one compaction'),
    instructions: z.string().max(10_000).optional().describe('Focus of the summary'),
  })
  .meta({ id: 'CompactionRequest' });

/** `POST /v1/sessions/:session/compactions` */
@Controller()
export class RequestCompactionController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(OUTCOMES) private readonly outcomes: OutcomeWaiter,
  ) {}

  @Endpoint('POST', 'v1/sessions/:session/compactions', {
    id: 'requestCompaction',
    summary: 'Requests a compaction and returns its ID, or its outcome with `wait=true`.',
    roles: MANAGERS,
    content: { in: ['summary', 'fileOperations'] },
    query,
    body,
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
    @Param('session') id: string,
    @Query(valid(query)) { wait }: z.output<typeof query>,
    @Body(valid(body)) given: z.output<typeof body>,
    @CurrentCaller() { session, caller }: ApiCaller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const ref = session(id);
    const request = {
      trigger: given.trigger,
      ...(given.profile !== undefined && { profile: given.profile }),
      ...(given.instructions !== undefined && { instructions: given.instructions }),
    };
    const requested = await this.commands.execute(new RequestCompaction(ref, request, caller));
    const { status, compactionId } = requested;
    void reply.header('location', `/v1/sessions/${ref.session}/compactions/${compactionId}`);
    // A deferred compaction may never start: its turn may never end.
    if (wait && status !== 'deferred') return outcomeView(await this.outcomes.outcomeOf(ref, compactionId));
    if (status !== 'skipped') void reply.status(202);
    return requested;
  }
}
