import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { GatewayEntry } from './gateway-entry.js';
import { composedEndpoint } from './shapes.js';

/** `POST /gateway/openai/v1/responses` */
@Controller()
export class CreateResponseController {
  constructor(@Inject(GatewayEntry) private readonly entry: GatewayEntry) {}

  @Endpoint(
    'POST',
    'gateway/openai/v1/responses',
    composedEndpoint(
      'openai',
      'createResponse',
      'Forwards a request to OpenAI’s Responses API with a compacted context.',
    ),
  )
  create(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @CurrentCaller() apiCaller: ApiCaller,
  ): Promise<void> {
    return this.entry.serve('openai-responses', { request, reply, apiCaller });
  }
}
