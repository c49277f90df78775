import type { Gateway } from '@app/application';
import { Controller, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CalledBy, type Calling } from '../http/calling.js';
import { Endpoint } from '../http/endpoint.js';
import { GATEWAY, GATEWAY_PROFILE } from '../symbols.js';
import { callFrom } from './call-from.js';
import { passOn } from './pass-on.js';
import { passedOn } from './shapes.js';

/** `POST /gateway/anthropic/v1/messages/count_tokens` */
@Controller()
export class CountTokensController {
  constructor(
    @Inject(GATEWAY) private readonly gateway: Gateway,
    @Inject(GATEWAY_PROFILE) private readonly profile: string,
  ) {}

  @Endpoint(
    'POST',
    'gateway/anthropic/v1/messages/count_tokens',
    passedOn('anthropic', 'Counts what Anthropic’s messages would be sent.'),
  )
  async count(
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
    @CalledBy() calling: Calling,
  ): Promise<void> {
    await passOn(reply, async (signal) =>
      this.gateway.count(
        await callFrom(request, calling, { wire: 'anthropic', profile: this.profile, signal }),
      ),
    );
  }
}
