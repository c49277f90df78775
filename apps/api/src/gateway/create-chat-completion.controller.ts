import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CalledBy, type Calling } from '../http/calling.js';
import { Endpoint } from '../http/endpoint.js';
import { GatewayEntry } from './gateway-entry.js';
import { composedEndpoint } from './shapes.js';

/** `POST /gateway/openai/v1/chat/completions` */
@Controller()
export class CreateChatCompletionController {
  constructor(@Inject(GatewayEntry) private readonly entry: GatewayEntry) {}

  @Endpoint(
    'POST',
    'gateway/openai/v1/chat/completions',
    composedEndpoint(
      'openai',
      'createChatCompletion',
      'Forwards a request to OpenAI’s Chat Completions API with a compacted context.',
    ),
  )
  create(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @CalledBy() calling: Calling,
  ): Promise<void> {
    return this.entry.serve('openai-chat', { request, reply, calling });
  }
}
