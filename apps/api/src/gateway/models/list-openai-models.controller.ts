import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiCaller, CurrentCaller } from '../../http/current-caller.js';
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
    @CurrentCaller() apiCaller: ApiCaller,
  ): Promise<void> {
    return this.entry.ask('openai-chat', { request, reply, apiCaller });
  }
}
