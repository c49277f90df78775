import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { GatewayEntry } from './gateway-entry.js';
import { composedEndpoint } from './shapes.js';

/** `POST /gateway/anthropic/v1/messages/count_tokens` */
@Controller()
export class CountTokensController {
  constructor(@Inject(GatewayEntry) private readonly entry: GatewayEntry) {}

  @Endpoint(
    'POST',
    'gateway/anthropic/v1/messages/count_tokens',
    composedEndpoint(
      'anthropic',
      'countTokens',
      'Counts the tokens of a request to Anthropic’s Messages API.',
    ),
  )
  count(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @CurrentCaller() apiCaller: ApiCaller,
  ): Promise<void> {
    return this.entry.count('anthropic', { request, reply, apiCaller });
  }
}
