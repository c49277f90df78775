import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { GatewayEntry } from './gateway-entry.js';
import { composedEndpoint } from './shapes.js';

/** `POST /gateway/anthropic/v1/messages` */
@Controller()
export class CreateMessageController {
  constructor(@Inject(GatewayEntry) private readonly entry: GatewayEntry) {}

  @Endpoint(
    'POST',
    'gateway/anthropic/v1/messages',
    composedEndpoint(
      'anthropic',
      'createMessage',
      'Forwards a request to Anthropic’s Messages API with a compacted context.',
    ),
  )
  create(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @CurrentCaller() apiCaller: ApiCaller,
  ): Promise<void> {
    return this.entry.serve('anthropic', { request, reply, apiCaller });
  }
}
