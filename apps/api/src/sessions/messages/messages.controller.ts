import { AppendConversation, CompleteTurn, ReportUsage } from '@app/application';
import { completedTurn, conversationAppended, usageTaken } from '@app/contract';
import { Body, Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { AnswerInterceptor } from '../../http/answer.interceptor.js';
import { type ApiCaller, apiCallerOf, BusController, CurrentCaller } from '../../http/controller.js';
import { Endpoint } from '../../http/endpoint.js';
import { valid, validated } from '../../http/valid.js';
import { WRITERS } from '../roles.js';
import { conversationMembers, modelName, stopReason, usage, withFingerprints } from '../shapes.js';

const appendMessagesBody = z.strictObject(conversationMembers(1));

const completeTurnBody = z.strictObject({
  stopReason: stopReason.default('end_turn').describe('Why the turn ended'),
});

const reportSessionUsageBody = z.strictObject({
  usage: usage.describe('Billed tokens of one request and its answer'),
  model: modelName.exactOptional().describe('The model that answered; the session’s by default'),
});

/** Appends messages, the end of a turn and bills. */
@Controller()
export class MessagesController extends BusController {
  @Inject(AnswerInterceptor) private readonly answers!: AnswerInterceptor;

  @Endpoint('POST', 'v1/sessions/:session/messages', {
    id: 'appendMessages',
    summary: 'Appends messages to a session and checks the budget of its next request.',
    roles: ['agent', 'admin'],
    content: 'none',
    appends: true,
    answersItself: true,
    body: appendMessagesBody,
    response: conversationAppended,
    errors: [
      'session-not-found',
      'session-closed',
      'message-conflict',
      'invalid-settings',
      'append-too-large',
      'request-not-found',
    ],
  })
  append(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.answers.answer(request, reply, async () => {
      const { messages, ...rest } = await validated(appendMessagesBody, request.body);
      const { tenant, ref, caller } = apiCallerOf(request);
      const conversation = { ...rest, messages: await withFingerprints(this.queries, tenant, messages) };
      return this.commands.execute(new AppendConversation(ref, conversation, caller));
    });
  }

  @Endpoint('POST', 'v1/sessions/:session/complete-turn', {
    id: 'completeTurn',
    summary: 'Ends the current turn and starts the compaction that waits for its end.',
    roles: WRITERS,
    content: 'none',
    body: completeTurnBody,
    response: completedTurn,
    errors: ['session-not-found', 'session-closed'],
  })
  complete(
    @Body(valid(completeTurnBody)) { stopReason }: z.output<typeof completeTurnBody>,
    @CurrentCaller() { ref, caller }: ApiCaller,
  ) {
    return this.commands.execute(new CompleteTurn(ref, stopReason, caller));
  }

  @Endpoint('POST', 'v1/sessions/:session/usage', {
    id: 'reportSessionUsage',
    summary: 'Reports the billed usage of one request, apart from its answer.',
    roles: WRITERS,
    content: 'none',
    body: reportSessionUsageBody,
    response: usageTaken,
    errors: ['session-not-found', 'request-not-found'],
  })
  report(
    @Body(valid(reportSessionUsageBody)) { usage, model }: z.output<typeof reportSessionUsageBody>,
    @CurrentCaller() { ref, caller }: ApiCaller,
  ) {
    return this.commands.execute(new ReportUsage(ref, { usage, model }, caller));
  }
}
