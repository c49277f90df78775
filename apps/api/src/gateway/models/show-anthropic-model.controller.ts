import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
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
    @CurrentCaller() apiCaller: ApiCaller,
  ): Promise<void> {
    return this.entry.ask('anthropic', { request, reply, apiCaller });
  }
}
