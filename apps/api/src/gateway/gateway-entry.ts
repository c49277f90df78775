import { once } from 'node:events';
import { FindSubjects, type Gateway, type GatewayAnswer } from '@app/application';
import type { WireName } from '@app/formats';
import type { TenantId } from '@app/kernel';
import { aboutError, logLine } from '@app/platform';
import { Inject, Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { whenKeyEnds } from '../http/access.guard.js';
import { Allowance, RateLimitExceeded } from '../http/allowance/rate-limits.js';
import { apiCallerOf } from '../http/controller.js';
import { SESSION_HEADER } from '../http/endpoint.js';
import { bytesOf } from '../http/entry/bodies.js';
import { GATEWAY, GATEWAY_PROFILE, GATEWAY_RECALL } from '../symbols.js';
import { callFrom, forwardedCallFrom } from './call-from.js';

/** Hands HTTP requests to the gateway and writes its answers. */
@Injectable()
export class GatewayEntry {
  constructor(
    @Inject(GATEWAY) private readonly gateway: Gateway,
    @Inject(GATEWAY_PROFILE) private readonly profile: string,
    @Inject(GATEWAY_RECALL) private readonly recallByDefault: boolean,
    @Inject(Allowance) private readonly allowance: Allowance,
    @Inject(QueryBus) private readonly queries: QueryBus,
  ) {}

  /** Composes and forwards a request for an answer of the model. */
  serve(wire: WireName, reply: FastifyReply): Promise<void> {
    return this.take(wire, reply, (call) => this.gateway.serve(call));
  }

  /** Composes and forwards a request that counts tokens. */
  count(wire: WireName, reply: FastifyReply): Promise<void> {
    return this.take(wire, reply, (call) => this.gateway.count(call));
  }

  /** Forwards a request that concerns no session. */
  ask(wire: WireName, reply: FastifyReply): Promise<void> {
    const { request } = reply;
    return streamAnswer(reply, (signal) =>
      this.gateway.pass(forwardedCallFrom(request, apiCallerOf(request), { wire, signal })),
    );
  }

  /** Forwards a request with its body unchanged; it concerns no session. */
  forward(wire: WireName, reply: FastifyReply): Promise<void> {
    const { request } = reply;
    return streamAnswer(reply, async (signal) => {
      const body = await bytesOf(request);
      return this.gateway.pass({
        ...forwardedCallFrom(request, apiCallerOf(request), { wire, signal }),
        body,
      });
    });
  }

  private take(
    wire: WireName,
    reply: FastifyReply,
    ask: (call: Parameters<Gateway['serve']>[0]) => ReturnType<Gateway['serve']>,
  ): Promise<void> {
    const { request } = reply;
    const apiCaller = apiCallerOf(request);
    const options = {
      wire,
      profile: this.profile,
      recallByDefault: this.recallByDefault,
      histories: this.gateway.histories,
      take: this.byteCounter(apiCaller.tenant),
      subjectsOf: (names: readonly string[]) =>
        this.queries.execute(new FindSubjects(apiCaller.tenant, names)),
    };
    return streamAnswer(reply, async (signal) =>
      ask(await callFrom(request, apiCaller, { ...options, signal })),
    );
  }

  private byteCounter(tenant: TenantId) {
    return async (bytes: number): Promise<RateLimitExceeded | undefined> => {
      const verdict = await this.allowance.takeBytes(tenant, bytes);
      return verdict.exceeded === undefined ? undefined : new RateLimitExceeded(verdict, verdict.exceeded);
    };
  }
}

/** Streams an answer to the client. The work is aborted when the client disconnects or its key is revoked or expires. */
const streamAnswer = async (
  reply: FastifyReply,
  respond: (signal: AbortSignal) => Promise<GatewayAnswer>,
): Promise<void> => {
  const aborted = new AbortController();
  const { raw: socket, request } = reply;
  // Also behind the whole answer: until then, the call counts as pending.
  socket.on('close', () => aborted.abort());
  whenKeyEnds(request, socket, () => socket.destroy());
  const answer = await respond(aborted.signal).catch((error: unknown) => {
    if (!aborted.signal.aborted) throw error;
  });
  if (!answer) return void reply.hijack(); // The client has disconnected.
  const { status, headers, body, session } = answer;
  const named = session === undefined ? {} : { [SESSION_HEADER]: session };
  void reply.headers(named);
  reply.hijack();
  if (socket.destroyed) return;
  const own = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  // `named` comes last: an upstream that is a gateway itself sends a session header of its own.
  socket.writeHead(status, { ...Object.fromEntries(own), ...headers, ...named });
  try {
    for await (const bytes of body) {
      if (!socket.write(bytes)) await once(socket, 'drain', { signal: aborted.signal });
    }
    socket.end();
  } catch (error) {
    // The connection is cut, so that the client does not take the truncated stream for a complete one.
    if (!aborted.signal.aborted)
      logLine('warn', { event: 'gateway-stream-broken', session, ...aboutError(error) });
    socket.destroy();
  }
};
