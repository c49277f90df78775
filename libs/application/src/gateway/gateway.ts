import {
  type Block,
  hasCallNames,
  isOverflow,
  type Message,
  manifestOf,
  type OpenSession,
  type ProviderError,
  type ToolUseBlock,
} from '@app/domain';
import {
  type ClientRequest,
  type Digest,
  framesOf,
  isRefusal,
  type Wire,
  type WireAnswer,
  type WireFailure,
  wireOf,
} from '@app/formats';
import {
  AppError,
  CALL_NAMES_RULE,
  isJsonObject,
  type JsonObject,
  parseJson,
  type RequestId,
  type SessionId,
} from '@app/kernel';
import type { Upstream, UpstreamAnswer } from '@app/ports';
import { type BudgetBanner, bannerOf } from '../commands/requests/budget-banner.js';
import { ReportOverflow } from '../commands/requests/report-overflow.js';
import { ChangeSettings } from '../commands/sessions/change-settings.js';
import {
  bytesOf,
  type Collected,
  collected,
  errorIn,
  failureIn,
  letGo,
  textOf,
} from '../requests/failures.js';
import type { Recalled } from '../requests/recalled.js';
import type { SessionRef } from '../sessions/session-ref.js';
import { Answering, answerName, itemName, type Said } from './answering.js';
import { budgetHeaders } from './budget-headers.js';
import { type ComposedForClient, ComposeForClient } from './compose-for-client.js';
import type { GatewayAnswer, GatewayCall, PassedCall } from './gateway-call.js';
import { growthIn } from './places/growth.js';
import { type Placed, Placing, type PlacingParts } from './places/places.js';
import { hasOtherCalls, isLastRound, isRecalling, recallCallsIn } from './recall-calls.js';
import { asFailure, compactionRequired, jsonAnswer, refusal } from './refusals.js';
import { atMost, begun, relayed } from './relay.js';
import { appending, idAt, PLACES_TRIED, write } from './writing.js';

export type GatewayParts = PlacingParts & {
  readonly upstream: Upstream;
  /** Answers a call of the recall tool. */
  readonly recall: (ref: SessionRef, input: JsonObject) => Promise<Pick<Recalled, 'content' | 'isError'>>;
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

type Composed = Extract<ComposedForClient, { outcome: 'composed' }> & {
  /** Whether the request carries the recall tool, whose calls the gateway answers. */
  readonly isRecalling: boolean;
};
type Told = Pick<UpstreamAnswer, 'status' | 'headers'>;
/** What came of a request: no answer, one that says why there is none, or one in one piece, or as a stream. */
type Failed = Told & { readonly kind: 'failed'; readonly told: Collected };
type Whole = Told & { readonly kind: 'whole'; readonly composed: Composed; readonly told: Collected };
type Streamed = Told & {
  readonly kind: 'stream';
  readonly composed: Composed;
  readonly rest: AsyncIterable<Uint8Array>;
};
type Refused = {
  readonly kind: 'refused';
  readonly failure: WireFailure;
  readonly banner: BudgetBanner | null;
};
type Exchanged = Refused | Failed | Whole | Streamed;

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
        return await this.ask(served);
      } catch (error) {
        // Another request was faster, and the history has its place elsewhere now.
        const isRace = error instanceof AppError && error.code === 'message-conflict';
        if (isRace && attempt < PLACES_TRIED) continue;
        const failure = asFailure(wire, error);
        if (!failure) throw error;
        const answer = refusal(wire, failure, placed?.ref.session);
        const isOverflow = error instanceof AppError && error.code === 'context-overflow';
        return placed && isOverflow ? withBudget(answer, await this.bannerOf(placed)) : answer;
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
    const client = { text: call.text, request, ids, body: call.body };
    const { body } = write(wire, client, whole, known.state, { news });
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
    if (!request.messages.every(({ blocks }) => blocks.every(hasCallNames)))
      return refusal(wire, { status: 400, message: CALL_NAMES_RULE });
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
    const { window, recall } = call.wishes;
    const wanted = request.isManaged ? 'configured' : 'none';
    const overrides = {
      ...(state.profile.providerContextManagement !== wanted && { providerContextManagement: wanted }),
      ...(recall !== undefined && state.profile.recall !== recall && { recall }),
    };
    const change = {
      ...(state.model !== request.model && { model: request.model }),
      ...(window !== undefined && state.limits.window !== window && { window }),
      ...(Object.keys(overrides).length > 0 && { overrides }),
    };
    if (Object.keys(change).length === 0) return;
    await this.parts.commands.execute(new ChangeSettings(ref, change, call.caller));
  }

  private async ask(served: Served): Promise<GatewayAnswer> {
    const { wire, placed } = served;
    const { ref } = placed;
    const asked = await this.exchange(served, true);
    if (asked.kind === 'refused') return withBudget(refusal(wire, asked.failure, ref.session), asked.banner);
    const { status, headers } = asked;
    if (asked.kind === 'failed') return asItCame(asked, ref.session);
    if (asked.kind === 'whole') return this.whole(served, asked, []);
    const body = asked.composed.isRecalling
      ? this.spliced(served, asked)
      : relayed(asked.rest, wire, (stream) =>
          stream === undefined
            ? this.parts.onProblem(tooLarge())
            : this.record(served, passedOn(wire.answerOf(stream)), asked.composed),
        );
    return { status, headers, body, session: ref.session };
  }

  /** Sends the next request of a session; again, and smaller each time, where it was too large and there is room now. */
  private async exchange(served: Served, isFirst: boolean): Promise<Exchanged> {
    const { call, wire, placed } = served;
    const composed = await this.compose(served, isFirst);
    const { banner } = composed;
    if (composed.outcome === 'refused')
      return { kind: 'refused', failure: compactionRequired(composed, placed.ref.session), banner };
    const answer = await this.send(call, composed.body);
    const { status } = answer;
    const headers = { ...answer.headers, ...budgetHeaders(banner) };
    const again = () => this.exchange(served, false);
    if (status >= 400) {
      const told = await collected(answer.body);
      if (!(await this.hasMadeRoom(served, errorIn(status, textOf(told)))))
        return { kind: 'failed', status, headers, told };
      await letGo(told);
      return again();
    }
    if (!isStream(answer))
      return { kind: 'whole', status, headers, composed, told: await collected(answer.body) };
    const { events, rest } = await begun(answer.body, wire);
    const failure = failureIn(events);
    if (failure && (await this.hasMadeRoom(served, failure))) {
      await rest[Symbol.asyncIterator]().return?.();
      return again();
    }
    return { kind: 'stream', status, headers, composed, rest };
  }

  /** An answer in one piece: of all rounds, where the gateway has answered calls of the recall tool. */
  private async whole(served: Served, asked: Whole, earlier: readonly JsonObject[]): Promise<GatewayAnswer> {
    const { wire, placed } = served;
    const { status, headers, told, composed } = asked;
    if (told.rest) this.parts.onProblem(tooLarge());
    const body = told.rest ? undefined : parseJson(textOf(told));
    const answer = isJsonObject(body) ? wire.answer(body) : undefined;
    const calls = composed.isRecalling && answer ? recallCallsIn(answer.blocks) : [];
    if (!answer || !isJsonObject(body) || (calls.length === 0 && earlier.length === 0)) {
      await this.record(served, passedOn(answer), composed);
      return asItCame(asked, placed.ref.session);
    }
    const isLast = isLastRound(answer, calls, earlier.length);
    const results = await this.recalled(served, calls, isLast && !hasOtherCalls(answer.blocks));
    if (!isLast) {
      const next = await this.nextRound(served, answer, results, composed);
      const further = await this.exchange(next, false);
      if (further.kind === 'whole') return this.whole(next, further, [...earlier, body]);
      if (further.kind === 'refused')
        return withBudget(refusal(wire, further.failure, next.placed.ref.session), further.banner);
      return asItCame(
        further.kind === 'failed' ? further : await this.unstreamed(further),
        next.placed.ref.session,
      );
    }
    const joined = wire.recall.joined([...earlier, body]);
    const shown = wire.answer(joined) ?? answer;
    await this.record(served, { answer, shown, results }, composed);
    return { ...jsonAnswer(status, JSON.stringify(joined), placed.ref.session), headers };
  }

  /** A provider that streams where it was not asked to has failed. */
  private async unstreamed({ rest }: Streamed): Promise<Omit<Failed, 'kind'>> {
    const told = await collected(rest);
    await letGo(told);
    return {
      status: 502,
      headers: { 'content-type': 'application/json' },
      told: {
        bytes: Buffer.from(JSON.stringify({ error: textOf(told).slice(0, 200) })),
        rest: undefined,
      },
    };
  }

  /** One stream of all rounds: each event goes out as it comes, but for calls of the recall tool, and the ends of rounds. */
  private async *spliced(first: Served, begin: Streamed): AsyncGenerator<Uint8Array, void, undefined> {
    const { wire } = first;
    const splicer = wire.recall.stream();
    let [served, asked] = [first, begin];
    let told = '';
    const tell = (text: string): readonly Uint8Array[] => {
      told += text;
      return text === '' ? [] : [Buffer.from(text)];
    };
    for (let round = 0; ; round += 1) {
      let stream = '';
      for await (const frame of framesOf(atMost(asked.rest))) {
        stream += frame.raw;
        yield* tell(splicer.take(frame));
      }
      const answer = wire.answerOf(stream);
      const calls = answer ? recallCallsIn(answer.blocks) : [];
      if (!answer || (calls.length === 0 && round === 0)) {
        await this.record(served, passedOn(answer), asked.composed);
        yield* tell(splicer.end());
        return;
      }
      const isLast = isLastRound(answer, calls, round);
      const results = await this.recalled(served, calls, isLast && !hasOtherCalls(answer.blocks));
      if (isLast) {
        const end = splicer.end();
        const shown = wire.answerOf(told + end) ?? answer;
        await this.record(served, { answer, shown, results }, asked.composed);
        yield* tell(end);
        return;
      }
      yield* tell(splicer.next());
      const further = await this.furtherRound(served, answer, results, asked.composed);
      if ('failure' in further) {
        yield* tell(splicer.fail(further.failure));
        return;
      }
      ({ served, asked } = further);
    }
  }

  /** The next round of a stream, or why there is none: the client has heard the beginning, and no status can tell it. */
  private async furtherRound(
    served: Served,
    answer: WireAnswer,
    results: readonly Block[],
    composed: Composed,
  ): Promise<{ readonly served: Served; readonly asked: Streamed } | { readonly failure: WireFailure }> {
    try {
      const next = await this.nextRound(served, answer, results, composed);
      const asked = await this.exchange(next, false);
      if (asked.kind === 'stream') return { served: next, asked };
      if (asked.kind === 'refused') return { failure: asked.failure };
      const { message, code } = errorIn(asked.status, textOf(asked.told));
      await letGo(asked.told);
      return { failure: { status: asked.status, message, ...(code !== undefined && { code }) } };
    } catch (error) {
      const failure = asFailure(served.wire, error);
      if (!failure) throw error;
      return { failure };
    }
  }

  /** Records an answer that calls the recall tool alone, with the results, and where the next request goes on from. */
  private async nextRound(
    served: Served,
    answer: WireAnswer,
    results: readonly Block[],
    { requestId }: Composed,
  ): Promise<Served> {
    const { call, request, placed } = served;
    const said = { answer, shown: answer, results };
    const asked = { model: request.model, session: placed.ref.session, requestId };
    const next = await this.answering.recordRound(call, placed, said, asked);
    return { ...served, placed: next };
  }

  /** The results of calls of the recall tool; errors where no further round is left to read them in. */
  private recalled(
    { placed }: Served,
    calls: readonly ToolUseBlock[],
    isOver: boolean,
  ): Promise<readonly Block[]> {
    return Promise.all(
      calls.map(async ({ id, input }): Promise<Block> => {
        const { content, isError } = isOver
          ? { content: 'The limit of recalls in a row is reached: answer with what is known.', isError: true }
          : await this.parts.recall(placed.ref, input);
        return { type: 'tool_result', tool_use_id: id, content, ...(isError && { is_error: true }) };
      }),
    );
  }

  private async compose(
    { call, wire, request, placed }: Served,
    isFirst: boolean,
  ): Promise<Composed | Extract<ComposedForClient, { outcome: 'refused' }>> {
    const { ref, ids } = placed;
    const client = { text: call.text, request, ids, body: call.body };
    let isCarried = false;
    const options = {
      ...{ wire, client },
      onWritten: (session: OpenSession) => {
        isCarried = isRecalling(wire, request, call.body, session);
      },
      before: isFirst ? appending(this.parts.counter, placed) : [],
      counting: { headers: call.headers, bringsKey: call.bringsKey },
      ...(call.override && { override: call.override }),
      ...(call.ladder && { ladder: call.ladder }),
    };
    const composed = await this.parts.commands.execute(new ComposeForClient(ref, options, call.caller));
    return composed.outcome === 'refused' ? composed : { ...composed, isRecalling: isCarried };
  }

  private send(call: PassedCall, body?: string): Promise<UpstreamAnswer> {
    const { tenant, path, headers, bringsKey, signal } = call;
    const provider = call.wire === 'anthropic' ? 'anthropic' : 'openai';
    const sent = { provider, path, headers, tenant, bringsKey, signal } as const;
    return this.parts.upstream.send(body === undefined ? sent : { ...sent, body });
  }

  /** How a session stands that no request fits any more, with the remedies that its overflow has named. */
  private async bannerOf({ ref }: Placed): Promise<BudgetBanner | null> {
    const { state } = await this.parts.sessions.load(ref);
    if (state.status !== 'open' || state.lastAnswer?.type !== 'ContextOverflowed') return null;
    const banner = bannerOf(state, { canSummarize: true });
    return banner && { ...banner, remedies: state.lastAnswer.data.remedies };
  }

  /** Whether a failure was an overflow, and the next request is smaller than this one: each further one is, by a step. */
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
    said: Said | undefined,
    { requestId }: { readonly requestId: RequestId },
  ): Promise<void> {
    if (!said) return;
    try {
      const { model } = request;
      await this.answering.record(call, placed, said, { model, session: placed.ref.session, requestId });
    } catch (error) {
      this.parts.onProblem(error);
    }
  }
}

/** An answer with what its client is told of the session. */
const withBudget = (answer: GatewayAnswer, banner: BudgetBanner | null): GatewayAnswer => ({
  ...answer,
  headers: { ...answer.headers, ...budgetHeaders(banner) },
});

/** @throws {AppError} `rate-limited` where the tenant may not append so much now. */
const admit = async ({ take }: GatewayCall, bytes: number): Promise<void> => {
  const refused = bytes > 0 ? await take(bytes) : undefined;
  if (refused) throw refused;
};

/** An answer in the very bytes in which it came. */
const asItCame = (
  { status, headers, told }: Told & { readonly told: Collected },
  session: SessionId,
): GatewayAnswer => ({ status, headers, body: bytesOf(told), session });

const tooLarge = (): AppError =>
  new AppError('append-too-large', 'an answer is too large to be read: it was passed on and not recorded');

const passedOn = (answer: WireAnswer | undefined): Said | undefined =>
  answer && { answer, shown: answer, results: [] };

const isStream = ({ headers }: UpstreamAnswer): boolean =>
  String(headers['content-type'] ?? '').startsWith('text/event-stream');
