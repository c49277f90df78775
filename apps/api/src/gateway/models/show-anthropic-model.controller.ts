import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { GatewayEntry } from '../gateway-entry.js';
import { forwardedEndpoint } from '../shapes.js';

/** `GET /gateway/anthropic/v1/models/:model` */
@Controller()
export class ShowAnthropicModelController {
  constructor(@Inject(GatewayEntry) private readonly entry: GatewayEntry) {}

  @Endpoint(
    'GET',
    'gateway/anthropic/v1/models/:model',
    forwardedEndpoint('anthropic', 'getAnthropicModel', 'Returns a model of Anthropic, in Anthropic’s form.'),
  )
  show(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @CalledBy() calling: Calling,
  ): Promise<void> {
    return this.entry.ask('anthropic', { request, reply, calling });
  }
}
