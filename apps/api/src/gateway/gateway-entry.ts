import type { Gateway } from '@app/application';
import type { WireName } from '@app/formats';
import type { TenantId } from '@app/kernel';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Allowance } from '../http/allowance/allowance.js';
import { LimitMet } from '../http/allowance/limit-met.js';
import type { Calling } from '../http/calling.js';
import { GATEWAY, GATEWAY_PROFILE, GATEWAY_RECALL } from '../symbols.js';
import { callFrom, questionFrom } from './call-from.js';
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
    @Inject(GATEWAY_RECALL) private readonly recallByDefault: boolean,
    @Inject(Allowance) private readonly allowance: Allowance,
  ) {}

  /** A request for an answer of the model. */
  serve(wire: WireName, exchange: Exchange): Promise<void> {
    return this.take(wire, exchange, (call) => this.gateway.serve(call));
  }

  /** A question for the size of a request. */
  count(wire: WireName, exchange: Exchange): Promise<void> {
    return this.take(wire, exchange, (call) => this.gateway.count(call));
  }

  /** A question that is about no session. */
  ask(wire: WireName, { request, reply, calling }: Exchange): Promise<void> {
    return passOn(request, reply, (signal) =>
      this.gateway.pass(questionFrom(request, calling, { wire, signal })),
    );
  }

  private take(
    wire: WireName,
    { request, reply, calling }: Exchange,
    ask: (call: Parameters<Gateway['serve']>[0]) => ReturnType<Gateway['serve']>,
  ): Promise<void> {
    const ways = {
      wire,
      profile: this.profile,
      recallByDefault: this.recallByDefault,
      take: this.counting(calling.tenant),
    };
    return passOn(request, reply, async (signal) =>
      ask(await callFrom(request, calling, { ...ways, signal })),
    );
  }

  private counting(tenant: TenantId) {
    return async (bytes: number): Promise<LimitMet | undefined> => {
      const verdict = await this.allowance.takeBytes(tenant, bytes);
      return verdict.met === undefined ? undefined : new LimitMet(verdict, verdict.met);
    };
  }
}
