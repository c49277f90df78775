import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiCaller, CurrentCaller } from '../http/current-caller.js';
import { Endpoint } from '../http/endpoint.js';
import { GatewayEntry } from './gateway-entry.js';
import { forwardedEndpoint } from './shapes.js';

/** `POST /gateway/openai/v1/responses/compact` */
@Controller()
export class CompactResponseController {
  constructor(@Inject(GatewayEntry) private readonly entry: GatewayEntry) {}

  @Endpoint('POST', 'gateway/openai/v1/responses/compact', {
    ...forwardedEndpoint(
      'openai',
      'compactResponse',
      'Forwards a request for OpenAI’s own compaction unchanged and stores nothing.',
    ),
    consumes: ['application/json'],
    errors: ['append-too-large', 'upstream-unreachable', 'upstream-key-missing'],
  })
  compact(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @CurrentCaller() apiCaller: ApiCaller,
  ): Promise<void> {
    return this.entry.forward('openai-responses', { request, reply, apiCaller });
  }
}
