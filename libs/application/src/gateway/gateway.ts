import type { BudgetBanner, Recalled } from '@app/contract';
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
  type ClientMessage,
  type ClientRequest,
  framesOf,
  isRefusal,
  KnownHistories,
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
import { bannerOf } from '../commands/check-budget.js';
import { ReportOverflow } from '../commands/requests/report-overflow.js';
import { ChangeSettings } from '../commands/sessions/change-settings.js';
import {
  bytesOf,
  type Collected,
  cancelBody,
  collectBody,
  errorIn,
  failureIn,
  textOf,
} from '../requests/failures.js';
import type { SessionRef } from '../sessions/session-ref.js';
import { AnswerRecorder, answerName, itemName, type ProviderReply } from './answer-recorder.js';
import { budgetHeaders } from './budget-headers.js';
import { type ComposedForClient, ComposeForClient } from './compose-for-client.js';
import type { Departure, FailOpen } from './fail-open.js';
import { encodedBody, type GatewayAnswer, type GatewayCall, type PassedCall } from './gateway-call.js';
import { growthIn } from './places/growth.js';
import {
  type Placement,
  type ReadRequest,
  type RouterParts,
  SessionRouter,
} from './places/session-router.js';
import { hasOtherCalls, isLastRound, isRecalling, recallCallsIn } from './recall-calls.js';
import { asFailure, compactionRequired, jsonAnswer, refusal } from './refusals.js';
import { limitedStream, peekStream, relayStream } from './relay.js';
import { appendHistory, idAt, ROUTE_ATTEMPTS, write } from './write-request.js';

export type GatewayParts = RouterParts & {
  readonly upstream: Upstream;
  /** Answers a call of the recall tool. */
  readonly recall: (ref: SessionRef, input: JsonObject) => Promise<Pick<Recalled, 'content' | 'isError'>>;
  /** Called with errors of recording answers that were already sent. */
  readonly onProblem: (error: unknown) => void;
  /** Without it, requests fail while the log or the database is unavailable. */
  readonly failOpen?: FailOpen;
};

/** A client request that is sent once: composed, or unchanged during an outage. */
type DepartingCall = GatewayCall & { readonly departure?: Departure };

/** A parsed client request and its session. */
type RoutedCall = {
  readonly call: DepartingCall;
  readonly wire: Wire;
  readonly request: ClientRequest;
  readonly placed: Placement;
};

type Composed = Extract<ComposedForClient, { outcome: 'composed' }> & {
  /** Whether the request contains the recall tool, whose calls the gateway answers. */
  readonly isRecalling: boolean;
};
type AnswerHead = Pick<UpstreamAnswer, 'status' | 'headers'>;
/** Result of sending a request: refused, failed, a complete body, or a stream. */
type Failed = AnswerHead & { readonly kind: 'failed'; readonly content: Collected };
type Whole = AnswerHead & {
  readonly kind: 'whole';
  readonly composed: Composed;
  readonly content: Collected;
};
type Streamed = AnswerHead & {
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

/** Serves clients of provider APIs: records their messages in sessions and sends composed contexts. */
export class Gateway {
  /** Reads the bodies of calls. */
  readonly histories = new KnownHistories();
  private readonly router: SessionRouter;
  private readonly recorder: AnswerRecorder;

  constructor(private readonly parts: GatewayParts) {
    this.router = new SessionRouter(parts);
    this.recorder = new AnswerRecorder(parts, this.router);
  }

  /**
   * Answers a request, and records it and its answer. During an outage of the log or the database the request is sent
   * unchanged and recorded with the client's next one.
   *
   * @throws {AppError} for failures of the service; errors of the request are answered.
   */
  serve(call: GatewayCall): Promise<GatewayAnswer> {
    return this.departing(call, (one) => this.serveRecorded(one));
  }

  private async departing(
    call: GatewayCall,
    recorded: (call: DepartingCall) => Promise<GatewayAnswer>,
  ): Promise<GatewayAnswer> {
    const { failOpen } = this.parts;
    if (!failOpen || call.isRecordedOnly) return recorded(await withSubjects(call));
    return failOpen.attempt(
      async (departure) => {
        const signal = AbortSignal.any([call.signal, departure.whenAbandoned]);
        return recorded({ ...(await withSubjects(call)), signal, departure });
      },
      async (outage) => {
        const answer = await this.pass({ ...call, body: call.bytes });
        return { ...answer, headers: { ...answer.headers, [FAIL_OPEN_HEADER]: outage } };
      },
    );
  }

  private async serveRecorded(call: DepartingCall): Promise<GatewayAnswer> {
    const wire = wireOf(call.wire);
    const read = await this.readRequest(call, wire);
    if ('status' in read) return read;
    const { request } = read;
    // The first attempt is made on the state in the cache, and does not count.
    for (let attempt = 0; ; attempt += 1) {
      let placed: Placement | undefined;
      try {
        const match = await this.router.claim(call, read, attempt === 0);
        if (attempt === 0) await requireQuota(call, growthIn(request, match.known));
        placed = await this.router.route(call, request, match);
        const routed = { call, wire, request, placed };
        await this.followSettings(routed);
        return await this.forward(routed);
      } catch (error) {
        // Another request was recorded first: route the history again.
        const isRace = error instanceof AppError && error.code === 'message-conflict';
        if (isRace && attempt < ROUTE_ATTEMPTS) continue;
        // An overflow is recorded with the messages of the request.
        placed?.remember().catch(() => {});
        const failure = asFailure(wire, error);
        if (!failure) throw error;
        const answer = refusal(wire, failure, placed?.ref.session);
        const isOverflow = error instanceof AppError && error.code === 'context-overflow';
        return placed && isOverflow ? withBudget(answer, await this.bannerOf(placed)) : answer;
      }
    }
  }

  /** Counts the tokens of the request that would be sent; records nothing. */
  count(call: GatewayCall): Promise<GatewayAnswer> {
    return this.departing(call, (one) => this.countComposed(one));
  }

  private async countComposed(call: DepartingCall): Promise<GatewayAnswer> {
    const wire = wireOf(call.wire);
    const read = await this.readRequest(call, wire);
    if ('status' in read) return read;
    const { request } = read;
    const { ids, known } = await this.router.match(call, { request, named: read.named });
    if (!known?.isTip) return { ...(await this.send(call, call.bytes)), session: undefined };
    const newMessages = request.messages
      .slice(known.count)
      .map(({ role, blocks }, at): Message => ({ id: idAt(ids, known.count + at), role, blocks }));
    const manifest = manifestOf(known.state);
    const whole = { ...manifest, messages: [...manifest.messages, ...newMessages] };
    const client = { text: call.text, request, ids, body: call.body, ranges: call.ranges };
    const { body } = write(wire, client, whole, known.state, { newMessages });
    return { ...(await this.send(call, encodedBody(call, body))), session: known.ref.session };
  }

  /** Forwards a request unchanged and records nothing. @throws {AppError} as {@link Upstream}. */
  async pass(call: PassedCall): Promise<GatewayAnswer> {
    return { ...(await this.send(call, call.body)), session: undefined };
  }

  private async readRequest(call: GatewayCall, wire: Wire): Promise<ReadRequest | GatewayAnswer> {
    const names = wire.namesIn(call.body);
    const known = await this.parts.conversations.named(call.tenant, names.map(itemName));
    const named = new Map<string, string | undefined>();
    for (const id of names) {
      const digest = known.get(itemName(id));
      if (digest !== undefined) named.set(id, digest === '' ? undefined : digest);
    }
    const request = wire.read(call.body);
    if (isRefusal(request)) return jsonAnswer(request.status, JSON.stringify(request.body), undefined);
    if (!request.messages.every(areNamed)) return refusal(wire, { status: 400, message: CALL_NAMES_RULE });
    const { continues } = request;
    if (continues === undefined) return { request, named };
    const name = answerName(continues);
    const base = (await this.parts.conversations.named(call.tenant, [name])).get(name);
    if (base !== undefined) return { request, named, base };
    const failure = {
      status: 400,
      message: `Previous response with id '${continues}' not found.`,
      code: 'previous_response_not_found',
      param: 'previous_response_id',
    };
    return refusal(wire, failure);
  }

  /** Applies settings of the client to the session: model, window, the provider's own compaction and the recall tool. */
  private async followSettings({ call, request, placed: { ref, state } }: RoutedCall): Promise<void> {
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

  private async forward(routed: RoutedCall): Promise<GatewayAnswer> {
    const { wire, placed } = routed;
    const { ref } = placed;
    const exchanged = await this.exchange(routed, true);
    if (exchanged.kind === 'refused')
      return withBudget(refusal(wire, exchanged.failure, ref.session), exchanged.banner);
    const { status, headers } = exchanged;
    if (exchanged.kind === 'failed') return verbatimAnswer(exchanged, ref.session);
    if (exchanged.kind === 'whole') return this.whole(routed, exchanged, []);
    const body = exchanged.composed.isRecalling
      ? this.streamRounds(routed, exchanged)
      : relayStream(exchanged.rest, wire, (stream) =>
          stream === undefined
            ? this.parts.onProblem(tooLarge())
            : this.record(routed, unchangedReply(wire.answerOf(stream)), exchanged.composed),
        );
    return { status, headers, body, session: ref.session };
  }

  /** Sends the next request of a session. After an overflow, sends a smaller one as long as room can be made. */
  private async exchange(routed: RoutedCall, isFirst: boolean): Promise<Exchanged> {
    const { call, wire, placed } = routed;
    const composed = await this.compose(routed, isFirst);
    const { banner } = composed;
    if (composed.outcome === 'refused')
      return { kind: 'refused', failure: compactionRequired(composed, placed.ref.session), banner };
    const answer = await this.send(call, composed.body);
    const { status } = answer;
    const headers = { ...answer.headers, ...budgetHeaders(banner) };
    const again = () => this.exchange(routed, false);
    if (status >= 400) {
      const content = await collectBody(answer.body);
      if (!(await this.hasMadeRoom(routed, errorIn(status, textOf(content)))))
        return { kind: 'failed', status, headers, content };
      await cancelBody(content);
      return again();
    }
    if (!isStream(answer))
      return { kind: 'whole', status, headers, composed, content: await collectBody(answer.body) };
    const { events, rest } = await peekStream(answer.body, wire);
    const failure = failureIn(events);
    if (failure && (await this.hasMadeRoom(routed, failure))) {
      await rest[Symbol.asyncIterator]().return?.();
      return again();
    }
    return { kind: 'stream', status, headers, composed, rest };
  }

  /** Returns a complete answer, joined from all rounds in which the gateway has answered calls of the recall tool. */
  private async whole(
    routed: RoutedCall,
    exchanged: Whole,
    earlier: readonly JsonObject[],
  ): Promise<GatewayAnswer> {
    const { wire, placed } = routed;
    const { status, headers, content, composed } = exchanged;
    if (content.rest) this.parts.onProblem(tooLarge());
    const body = content.rest ? undefined : parseJson(textOf(content));
    const answer = isJsonObject(body) ? wire.answer(body) : undefined;
    const calls = composed.isRecalling && answer ? recallCallsIn(answer.blocks) : [];
    if (!answer || !isJsonObject(body) || (calls.length === 0 && earlier.length === 0)) {
      await this.record(routed, unchangedReply(answer), composed);
      return verbatimAnswer(exchanged, placed.ref.session);
    }
    const isLast = isLastRound(answer, calls, earlier.length);
    const results = await this.recalled(routed, calls, isLast && !hasOtherCalls(answer.blocks));
    if (!isLast) {
      const next = await this.nextRound(routed, answer, results, composed);
      const further = await this.exchange(next, false);
      if (further.kind === 'whole') return this.whole(next, further, [...earlier, body]);
      if (further.kind === 'refused')
        return withBudget(refusal(wire, further.failure, next.placed.ref.session), further.banner);
      return verbatimAnswer(
        further.kind === 'failed' ? further : await this.unstreamed(further),
        next.placed.ref.session,
      );
    }
    const joined = wire.recall.joined([...earlier, body]);
    const shown = wire.answer(joined) ?? answer;
    await this.record(routed, { answer, shown, results }, composed);
    return { ...jsonAnswer(status, JSON.stringify(joined), placed.ref.session), headers };
  }

  /** Answers 502 for a provider that streams without being asked to. */
  private async unstreamed({ rest }: Streamed): Promise<Omit<Failed, 'kind'>> {
    const content = await collectBody(rest);
    await cancelBody(content);
    return {
      status: 502,
      headers: { 'content-type': 'application/json' },
      content: {
        bytes: Buffer.from(JSON.stringify({ error: textOf(content).slice(0, 200) })),
        rest: undefined,
      },
    };
  }

  /** Streams all rounds as one answer: events are forwarded, except calls of the recall tool and the ends of rounds. */
  private async *streamRounds(
    first: RoutedCall,
    begin: Streamed,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const { wire } = first;
    const splicer = wire.recall.stream();
    let [routed, exchanged] = [first, begin];
    let sentText = '';
    const emit = (text: string): readonly Uint8Array[] => {
      sentText += text;
      return text === '' ? [] : [Buffer.from(text)];
    };
    for (let round = 0; ; round += 1) {
      let stream = '';
      for await (const frame of framesOf(limitedStream(exchanged.rest))) {
        stream += frame.raw;
        yield* emit(splicer.take(frame));
      }
      const answer = wire.answerOf(stream);
      const calls = answer ? recallCallsIn(answer.blocks) : [];
      if (!answer || (calls.length === 0 && round === 0)) {
        await this.record(routed, unchangedReply(answer), exchanged.composed);
        yield* emit(splicer.end());
        return;
      }
      const isLast = isLastRound(answer, calls, round);
      const results = await this.recalled(routed, calls, isLast && !hasOtherCalls(answer.blocks));
      if (isLast) {
        const end = splicer.end();
        const shown = wire.answerOf(sentText + end) ?? answer;
        await this.record(routed, { answer, shown, results }, exchanged.composed);
        yield* emit(end);
        return;
      }
      yield* emit(splicer.next());
      const further = await this.nextStreamRound(routed, answer, results, exchanged.composed);
      if ('failure' in further) {
        yield* emit(splicer.fail(further.failure));
        return;
      }
      ({ routed, exchanged } = further);
    }
  }

  /** Returns the next round of a stream or its failure, which becomes an event: the status has already been sent. */
  private async nextStreamRound(
    routed: RoutedCall,
    answer: WireAnswer,
    results: readonly Block[],
    composed: Composed,
  ): Promise<
    { readonly routed: RoutedCall; readonly exchanged: Streamed } | { readonly failure: WireFailure }
  > {
    try {
      const next = await this.nextRound(routed, answer, results, composed);
      const exchanged = await this.exchange(next, false);
      if (exchanged.kind === 'stream') return { routed: next, exchanged };
      if (exchanged.kind === 'refused') return { failure: exchanged.failure };
      const { message, code } = errorIn(exchanged.status, textOf(exchanged.content));
      await cancelBody(exchanged.content);
      return { failure: { status: exchanged.status, message, ...(code !== undefined && { code }) } };
    } catch (error) {
      const failure = asFailure(routed.wire, error);
      if (!failure) throw error;
      return { failure };
    }
  }

  /** Records an answer that only calls the recall tool with the results; returns the call to continue with. */
  private async nextRound(
    routed: RoutedCall,
    answer: WireAnswer,
    results: readonly Block[],
    { requestId }: Composed,
  ): Promise<RoutedCall> {
    const { call, request, placed } = routed;
    const reply = { answer, shown: answer, results };
    const exchanged = { model: request.model, session: placed.ref.session, requestId };
    const next = await this.recorder.recordRound(call, placed, reply, exchanged);
    return { ...routed, placed: next };
  }

  /** Returns the results of calls of the recall tool; errors if no further round can read them. */
  private recalled(
    { placed }: RoutedCall,
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
    { call, wire, request, placed }: RoutedCall,
    isFirst: boolean,
  ): Promise<Composed | Extract<ComposedForClient, { outcome: 'refused' }>> {
    const { ref, ids, remember } = placed;
    const { text, bytes, body, ranges } = call;
    const client = { text, bytes, request, ids, body, ranges };
    let isCarried = false;
    const options = {
      wire,
      client,
      onWritten: (session: OpenSession) => {
        isCarried = isRecalling(wire, request, call.body, session);
      },
      before: isFirst ? appendHistory(this.parts.counter, placed) : [],
      counting: { headers: call.headers, bringsKey: call.bringsKey },
      ...(call.override && { override: call.override }),
      ...(call.ladder && { ladder: call.ladder }),
    };
    const composed = await this.parts.commands.execute(new ComposeForClient(ref, options, call.caller));
    remember().catch(() => {}); // Recording the answer waits for it, and handles the error.
    return composed.outcome === 'refused' ? composed : { ...composed, isRecalling: isCarried };
  }

  private async send(
    call: Omit<PassedCall, 'body'> & Pick<DepartingCall, 'departure'>,
    body?: PassedCall['body'],
  ): Promise<UpstreamAnswer> {
    call.departure?.send();
    const { tenant, path, headers, bringsKey, signal } = call;
    const provider = call.wire === 'anthropic' ? 'anthropic' : 'openai';
    const sent = { provider, path, headers, tenant, bringsKey, signal } as const;
    return this.parts.upstream.send(body === undefined ? sent : { ...sent, body });
  }

  /** Returns the banner of a session after an overflow, with the remedies of its event. */
  private async bannerOf({ ref }: Placement): Promise<BudgetBanner | null> {
    const { state } = await this.parts.sessions.load(ref);
    if (state.status !== 'open' || state.lastAnswer?.type !== 'ContextOverflowed') return null;
    const banner = bannerOf(state, { canSummarize: true });
    return banner && { ...banner, remedies: state.lastAnswer.data.remedies };
  }

  /** Whether a failure was an overflow and the next request will be smaller. Each further one is, so the loop ends. */
  private async hasMadeRoom({ call, placed }: RoutedCall, failure: ProviderError): Promise<boolean> {
    if (!isOverflow(failure)) return false;
    try {
      const report = new ReportOverflow(placed.ref, failure, call.caller);
      return (await this.parts.commands.execute(report)).outcome !== 'not-an-overflow';
    } catch (error) {
      // No room can be made automatically: the client receives its provider's error.
      if (
        error instanceof AppError &&
        (error.code === 'context-overflow' || error.code === 'compaction-timed-out')
      )
        return false;
      if (!this.parts.failOpen || call.isRecordedOnly) throw error;
      this.parts.onProblem(error);
      return false;
    }
  }

  /**
   * Records an answer. A failure is only reported: the client has paid for the answer and sends it again with its next
   * request. During an outage the client does not wait.
   */
  private async record(
    { call, request, placed }: RoutedCall,
    reply: ProviderReply | undefined,
    { requestId }: { readonly requestId: RequestId },
  ): Promise<void> {
    if (!reply) return;
    const sent = { model: request.model, session: placed.ref.session, requestId };
    const released = new AbortController();
    const recording = this.recorder
      .record(call, placed, reply, sent, released.signal)
      .catch((error: unknown) => this.parts.onProblem(error));
    const { failOpen } = this.parts;
    if (!failOpen) return recording;
    if (!(await failOpen.waitFor(recording))) released.abort();
  }
}

/** Whether the calls and results of a message have valid names. */
const areNamed = (message: ClientMessage): boolean => {
  const isNamed = NAMED.has(message) || message.blocks.every(hasCallNames);
  if (isNamed) NAMED.add(message);
  return isNamed;
};
/** Such messages: those of a known history are the same objects in every request. */
const NAMED = new WeakSet<ClientMessage>();

/** Answers that were not recorded have it, with the code of the outage. */
const FAIL_OPEN_HEADER = 'x-palimpsest-fail-open';

/** Looks the data subjects of the call up. @throws {AppError} `postgres-unavailable`. */
const withSubjects = async (call: GatewayCall): Promise<GatewayCall> =>
  call.subjects ? { ...call, wishes: { ...call.wishes, subjects: await call.subjects() } } : call;

/** Adds the budget headers to an answer. */
const withBudget = (answer: GatewayAnswer, banner: BudgetBanner | null): GatewayAnswer => ({
  ...answer,
  headers: { ...answer.headers, ...budgetHeaders(banner) },
});

/** @throws {AppError} `rate-limited` above the tenant's limit of appended tokens. */
const requireQuota = async ({ take }: GatewayCall, bytes: number): Promise<void> => {
  const refused = bytes > 0 ? await take(bytes) : undefined;
  if (refused) throw refused;
};

/** Returns an answer with its original bytes. */
const verbatimAnswer = (
  { status, headers, content }: AnswerHead & { readonly content: Collected },
  session: SessionId,
): GatewayAnswer => ({ status, headers, body: bytesOf(content), session });

const tooLarge = (): AppError =>
  new AppError('append-too-large', 'an answer is too large to be read: it was forwarded and not recorded');

const unchangedReply = (answer: WireAnswer | undefined): ProviderReply | undefined =>
  answer && { answer, shown: answer, results: [] };

const isStream = ({ headers }: UpstreamAnswer): boolean =>
  String(headers['content-type'] ?? '').startsWith('text/event-stream');
