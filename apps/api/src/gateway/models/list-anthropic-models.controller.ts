import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { GatewayEntry } from '../gateway-entry.js';
import { forwardedEndpoint } from '../shapes.js';

/** `GET /gateway/anthropic/v1/models` */
@Controller()
export class ListAnthropicModelsController {
  constructor(@Inject(GatewayEntry) private readonly entry: GatewayEntry) {}

  @Endpoint(
    'GET',
    'gateway/anthropic/v1/models',
    forwardedEndpoint('anthropic', 'listAnthropicModels', 'Lists Anthropic’s models, in Anthropic’s form.'),
  )
  list(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @CalledBy() calling: Calling,
  ): Promise<void> {
    return this.entry.ask('anthropic', { request, reply, calling });
  }
}
