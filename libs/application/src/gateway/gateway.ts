import { isOverflow, type Message, manifestOf, type ProviderError } from '@app/domain';
import {
  type ClientRequest,
  type Digest,
  isRefusal,
  parsed,
  type Wire,
  type WireAnswer,
  wireOf,
} from '@app/formats';
import { AppError, isJsonObject, type RequestId } from '@app/kernel';
import type { Upstream, UpstreamAnswer } from '@app/ports';
import { ReportOverflow } from '../commands/composing/report-overflow.js';
import { ChangeSettings } from '../commands/managing/change-settings.js';
import { Answering, answerName, itemName } from './answering.js';
import { type ComposedForClient, ComposeForClient } from './compose-for-client.js';
import { errorIn, failureIn, wholeOf } from './failures.js';
import type { GatewayAnswer, GatewayCall, PassedCall } from './gateway-call.js';
import { growthIn } from './placing/growth.js';
import { type Placed, Placing, type PlacingParts } from './placing/placing.js';
import { asFailure, compactionRequired, jsonAnswer, refusal } from './refusals.js';
import { begun, relayed } from './relay.js';
import { appending, idAt, PLACES_TRIED, type Written, write } from './writing.js';

export type GatewayParts = PlacingParts & {
  readonly upstream: Upstream;
  /** Hears of answers that went out and could not be recorded. */
  readonly onProblem: (error: unknown) => void;
};

/** A request of a client that is understood, and where its history has its place. */
type Served = {
  readonly call: GatewayCall;
  readonly wire: Wire;
  readonly request: ClientRequest;
  readonly placed: Placed;
};

/** Serves clients that know their provider alone: what they send is kept as a session, and what goes out is its context. */
export class Gateway {
  private readonly placing: Placing;
  private readonly answering: Answering;

  constructor(private readonly parts: GatewayParts) {
    this.placing = new Placing(parts);
    this.answering = new Answering(parts, this.placing);
  }

  /** @throws {AppError} where the service fails; what the request is to blame for is an answer. */
  async serve(call: GatewayCall): Promise<GatewayAnswer> {
    const wire = wireOf(call.wire);
    const understood = await this.understand(call, wire);
    if ('status' in understood) return understood;
    const { request, base } = understood;
    for (let attempt = 1; ; attempt += 1) {
      let placed: Placed | undefined;
      try {
        const heard = await this.placing.enter(call, request, base);
        if (attempt === 1) await admit(call, growthIn(request, heard.known));
        placed = await this.placing.place(call, request, heard);
        const served = { call, wire, request, placed };
        await this.followSettings(served);
        return await this.ask(served, true);
      } catch (error) {
        // Another request was faster, and the history has its place elsewhere now.
        const isRace = error instanceof AppError && error.code === 'message-conflict';
        if (isRace && attempt < PLACES_TRIED) continue;
        const failure = asFailure(wire, error);
        if (!failure) throw error;
        return refusal(wire, failure, placed?.ref.session);
      }
    }
  }

  /** Asks about a history, and records nothing: what is asked about is what would go out. */
  async count(call: GatewayCall): Promise<GatewayAnswer> {
    const wire = wireOf(call.wire);
    const understood = await this.understand(call, wire);
    if ('status' in understood) return understood;
    const { request } = understood;
    const { ids, known } = await this.placing.hear(call, request);
    if (!known?.isTip) return { ...(await this.send(call, call.text)), session: undefined };
    const news = request.messages
      .slice(known.count)
      .map(({ role, blocks }, at): Message => ({ id: idAt(ids, known.count + at), role, blocks }));
    const manifest = manifestOf(known.state);
    const whole = { ...manifest, messages: [...manifest.messages, ...news] };
    const { body } = write(wire, { text: call.text, request, ids }, whole, known.state, news);
    return { ...(await this.send(call, body)), session: known.ref.session };
  }

  /** Asks the provider as the client does, and keeps nothing. @throws {AppError} as {@link Upstream}. */
  async pass(call: PassedCall): Promise<GatewayAnswer> {
    return { ...(await this.send(call)), session: undefined };
  }

  private async understand(
    call: GatewayCall,
    wire: Wire,
  ): Promise<{ readonly request: ClientRequest; readonly base?: Digest } | GatewayAnswer> {
    const names = wire.namesIn(call.body);
    const known = await this.parts.conversations.named(call.tenant, names.map(itemName));
    const named = new Map<string, Digest | undefined>();
    for (const id of names) {
      const digest = known.get(itemName(id));
      if (digest !== undefined) named.set(id, digest === '' ? undefined : digest);
    }
    const request = wire.read(call.body, named);
    if (isRefusal(request)) return jsonAnswer(request.status, JSON.stringify(request.body), undefined);
    const { continues } = request;
    if (continues === undefined) return { request };
    const name = answerName(continues);
    const base = (await this.parts.conversations.named(call.tenant, [name])).get(name);
    if (base !== undefined) return { request, base };
    const failure = {
      status: 400,
      message: `Previous response with id '${continues}' not found.`,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    };
    return refusal(wire, failure);
  }

  /** The session follows the client: another model, another window, its provider's own compaction switched on or off. */
  private async followSettings({ call, request, placed: { ref, state } }: Served): Promise<void> {
    if (!state) return;
    const { window } = call.wishes;
    const wanted = request.isManaged ? 'configured' : 'none';
    const change = {
      ...(state.model !== request.model && { model: request.model }),
      ...(window !== undefined && state.limits.window !== window && { window }),
      ...(state.profile.providerManagement !== wanted && { overrides: { providerManagement: wanted } }),
    };
    if (Object.keys(change).length === 0) return;
    await this.parts.commands.execute(new ChangeSettings(ref, change, call.caller));
  }

  private async ask(served: Served, isFirst: boolean): Promise<GatewayAnswer> {
    const { call, wire, placed } = served;
    const { ref } = placed;
    const composed = await this.compose(served, isFirst);
    if (composed.outcome === 'refused')
      return refusal(wire, compactionRequired(composed, ref.session), ref.session);
    const answer = await this.send(call, composed.body);
    const record = (said: WireAnswer | undefined): Promise<void> => this.record(served, said, composed);
    if (answer.status >= 400) {
      const text = await wholeOf(answer.body);
      if ((await this.hasMadeRoom(served, errorIn(answer.status, text))) && isFirst)
        return this.ask(served, false);
      return { ...jsonAnswer(answer.status, text, ref.session), headers: answer.headers };
    }
    if (!isStream(answer)) {
      const text = await wholeOf(answer.body);
      const body = parsed(text);
      await record(isJsonObject(body) ? wire.answer(body) : undefined);
      return { ...jsonAnswer(answer.status, text, ref.session), headers: answer.headers };
    }
    const { events, rest } = await begun(answer.body, wire);
    const failure = failureIn(events);
    if (failure && (await this.hasMadeRoom(served, failure)) && isFirst) {
      await rest[Symbol.asyncIterator]().return?.();
      return this.ask(served, false);
    }
    const body = relayed(rest, wire, (stream) => record(wire.answerOf(stream)));
    return { status: answer.status, headers: answer.headers, body, session: ref.session };
  }

  private compose({ call, wire, request, placed }: Served, isFirst: boolean): Promise<ComposedForClient> {
    const { ref, ids } = placed;
    const client = { text: call.text, request, ids };
    const options = {
      format: wire.name,
      write: (...made: Parameters<Written>) => write(wire, client, ...made),
      before: isFirst ? appending(this.parts.counter, placed) : [],
      counting: { headers: call.headers, bringsKey: call.bringsKey },
      ...(call.override && { override: call.override }),
    };
    return this.parts.commands.execute(new ComposeForClient(ref, options, call.caller));
  }

  private send(call: PassedCall, body?: string): Promise<UpstreamAnswer> {
    const { tenant, path, headers, bringsKey, signal } = call;
    const provider = call.wire === 'anthropic' ? 'anthropic' : 'openai';
    const sent = { provider, path, headers, tenant, bringsKey, signal } as const;
    return this.parts.upstream.send(body === undefined ? sent : { ...sent, body });
  }

  /** Whether a failure was an overflow, and something has been done for the next try. After that one it ends the turn. */
  private async hasMadeRoom({ call, placed }: Served, failure: ProviderError): Promise<boolean> {
    if (!isOverflow(failure)) return false;
    try {
      const report = new ReportOverflow(placed.ref, failure, call.caller);
      return (await this.parts.commands.execute(report)).outcome !== 'not-an-overflow';
    } catch (error) {
      // Nothing can be done by itself: the client hears what its provider says.
      if (
        error instanceof AppError &&
        (error.code === 'context-overflow' || error.code === 'compaction-timed-out')
      )
        return false;
      throw error;
    }
  }

  /** What cannot be recorded is told all the same: the client has paid for it, and sends it again with its next request. */
  private async record(
    { call, request, placed }: Served,
    answer: WireAnswer | undefined,
    { requestId }: { readonly requestId: RequestId },
  ): Promise<void> {
    if (!answer) return;
    try {
      await this.answering.record(call, placed, answer, { model: request.model, requestId });
    } catch (error) {
      this.parts.onProblem(error);
    }
  }
}

/** @throws {AppError} `rate-limited` where the tenant may not append so much now. */
const admit = async ({ take }: GatewayCall, bytes: number): Promise<void> => {
  const refused = bytes > 0 ? await take(bytes) : undefined;
  if (refused) throw refused;
};

const isStream = ({ headers }: UpstreamAnswer): boolean =>
  String(headers['content-type'] ?? '').startsWith('text/event-stream');
