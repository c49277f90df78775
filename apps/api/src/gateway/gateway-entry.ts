import type { Gateway } from '@app/application';
import type { WireName } from '@app/formats';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Calling } from '../http/calling.js';
import { GATEWAY, GATEWAY_PROFILE } from '../symbols.js';
import { callFrom } from './call-from.js';
import { passOn } from './pass-on.js';

/** Who asks, and where the answer goes. */
type Exchange = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly calling: Calling;
};

/** Takes what comes in on an endpoint to the gateway, and passes its answer on. */
@Injectable()
export class GatewayEntry {
  constructor(
    @Inject(GATEWAY) private readonly gateway: Gateway,
    @Inject(GATEWAY_PROFILE) private readonly profile: string,
  ) {}

  /** A request for an answer of the model. */
  serve(wire: WireName, exchange: Exchange): Promise<void> {
    return this.take(wire, exchange, (call) => this.gateway.serve(call));
  }

  /** A question for the size of a request. */
  count(wire: WireName, exchange: Exchange): Promise<void> {
    return this.take(wire, exchange, (call) => this.gateway.count(call));
  }

  private take(
    wire: WireName,
    { request, reply, calling }: Exchange,
    ask: (call: Parameters<Gateway['serve']>[0]) => ReturnType<Gateway['serve']>,
  ): Promise<void> {
    const { profile } = this;
    return passOn(reply, async (signal) => ask(await callFrom(request, calling, { wire, profile, signal })));
  }
}
