import type { Gateway } from '@app/application';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CalledBy, type Calling } from '../http/calling.js';
import { Endpoint } from '../http/endpoint.js';
import { GATEWAY, GATEWAY_PROFILE } from '../symbols.js';
import { callFrom } from './call-from.js';
import { passOn } from './pass-on.js';
import { passedOn } from './shapes.js';

/** `POST /gateway/openai/v1/chat/completions` */
@Controller()
export class CreateChatCompletionController {
  constructor(
    @Inject(GATEWAY) private readonly gateway: Gateway,
    @Inject(GATEWAY_PROFILE) private readonly profile: string,
  ) {}

  @Endpoint(
    'POST',
    'gateway/openai/v1/chat/completions',
    passedOn('openai', 'OpenAI’s chat completions, with a context that never overflows.'),
  )
  async create(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @CalledBy() calling: Calling,
  ): Promise<void> {
    await passOn(reply, async (signal) =>
      this.gateway.serve(
        await callFrom(request, calling, { wire: 'openai-chat', profile: this.profile, signal }),
      ),
    );
  }
}
