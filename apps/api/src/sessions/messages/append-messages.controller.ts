import { AppendConversation } from '@app/application';
import { conversationAppended } from '@app/contract';
import { Body, Controller, Inject, Param } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { z } from 'zod';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
import { Endpoint } from '../../http/endpoint.js';
import { listOf } from '../../http/list-of.js';
import { valid } from '../../http/valid.js';
import { messageDraft, stopReason, usage } from '../shapes.js';
import { withFingerprints } from '../subjects.js';

const body = z.strictObject({
  messages: listOf(messageDraft, { min: 1, max: 1_000 }),
  usage: usage.optional().describe('What the provider billed for the last answer of the model among them'),
  stopReason: stopReason.optional().describe('Why the turn has ended, where it has'),
});

/** `POST /v1/sessions/:session/messages` */
@Controller()
export class AppendMessagesController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {}

  @Endpoint('POST', 'v1/sessions/:session/messages', {
    id: 'appendMessages',
    summary: 'Appends messages to a session and checks the budget of its next request.',
    roles: ['agent', 'admin'],
    content: 'none',
    appends: true,
    body,
    response: conversationAppended,
    errors: [
      'session-not-found',
      'session-closed',
      'message-conflict',
      'invalid-settings',
      'append-too-large',
      'erasure-in-progress',
      'request-not-found',
    ],
  })
  async append(
    @Param('session') id: string,
    @Body(valid(body)) { messages, usage, stopReason }: z.output<typeof body>,
    @CurrentCaller() { tenant, session, caller }: ApiCaller,
  ) {
    const conversation = {
      messages: await withFingerprints(this.queries, tenant, messages),
      ...(usage && { usage }),
      ...(stopReason !== undefined && { stopReason }),
    };
    return this.commands.execute(new AppendConversation(session(id), conversation, caller));
  }
}
