import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CalledBy, type Calling } from '../../http/calling.js';
import { Endpoint } from '../../http/endpoint.js';
import { GatewayEntry } from '../gateway-entry.js';
import { forwardedEndpoint } from '../shapes.js';

/** `GET /gateway/openai/v1/models` */
@Controller()
export class ListOpenAiModelsController {
  constructor(@Inject(GatewayEntry) private readonly entry: GatewayEntry) {}

  @Endpoint(
    'GET',
    'gateway/openai/v1/models',
    forwardedEndpoint('openai', 'listOpenAiModels', 'Lists OpenAI’s models, in OpenAI’s form.'),
  )
  list(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @CalledBy() calling: Calling,
  ): Promise<void> {
    return this.entry.ask('openai-chat', { request, reply, calling });
  }
}
