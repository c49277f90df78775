import type {
  AppendAndComposeRequest,
  AppendMessagesRequest,
  AsOf,
  ChangeSettingsRequest,
  Closed,
  CompletedTurn,
  Composed,
  ComposedByReference,
  ComposeOptions,
  ContextDiff,
  ContextView,
  ConversationAppended,
  DeferCompactionsRequest,
  Deferred,
  EditsReported,
  ExportedMessage,
  Forked,
  ForkSessionRequest,
  GetMessageQuery,
  GetOccupancyQuery,
  ListSessionsQuery,
  LoggedEvent,
  MessageWindow,
  OccupancySeries,
  Opened,
  OpenSessionRequest,
  OverflowAnswer,
  Pin,
  PinContentRequest,
  Provenance,
  Recalled,
  Released,
  ReportedUsage,
  ReportOverflowRequest,
  ResetDone,
  ResetSessionRequest,
  RetentionMap,
  SessionSummary,
  SessionView,
  Settings,
  StoredMessage,
  TextMatches,
  UsageTaken,
  WireFormat,
} from '../generated/types.js';
import { jsonLines, textParts } from '../streams/lines.js';
import { path } from '../transport/path.js';
import type { CallOptions, Transport } from '../transport/transport.js';
import { itemsOf, type Page } from './pages.js';

/** Conditions that sessions of a list must all meet, and their order. */
export type SessionFilter = Omit<ListSessionsQuery, 'limit' | 'cursor'>;

/** Milliseconds for calls that may wait for a compaction. */
const WAITING_MS = 660_000;
const patient = (options: CallOptions = {}): CallOptions => ({ timeoutMs: WAITING_MS, ...options });

/** Sessions, their messages and their requests. */
export class Sessions {
  constructor(private readonly http: Transport) {}

  /** Opens a session, alone or as a child of another one. */
  open(input: OpenSessionRequest, options?: CallOptions): Promise<Opened> {
    return this.http.send('POST', path`/v1/sessions`, { body: input }, options);
  }

  /** Iterates over the matching sessions of the read model, latest activity first unless sorted. */
  list(
    options?: CallOptions & SessionFilter & { readonly limit?: number },
  ): AsyncGenerator<SessionSummary, void, undefined> {
    return itemsOf((cursor) => this.page({ ...options, ...(cursor !== undefined && { cursor }) }));
  }

  /** Returns one page of the list; `limit` is 100 by default and at most 1,000. */
  page(
    options: CallOptions & SessionFilter & { readonly limit?: number; readonly cursor?: string } = {},
  ): Promise<Page<SessionSummary>> {
    const { signal: _, timeoutMs: __, idempotencyKey: ___, ifMatch: ____, ...query } = options;
    return this.http.send('GET', path`/v1/sessions`, { query }, options);
  }

  /** Returns the current state, settings, pins and budget. */
  get(session: string, options?: CallOptions): Promise<SessionView> {
    return this.http.send('GET', path`/v1/sessions/${session}`, {}, options);
  }

  /** Appends messages and checks the budget of the next request. Messages that the session already ends with are skipped. */
  append(
    session: string,
    conversation: AppendMessagesRequest,
    options?: CallOptions,
  ): Promise<ConversationAppended> {
    return this.http.send('POST', path`/v1/sessions/${session}/messages`, { body: conversation }, options);
  }

  /** Reports the usage of a request apart from its answer: later, or before the answer is appended. */
  reportUsage(
    session: string,
    usage: ReportedUsage,
    options: CallOptions & { readonly model?: string } = {},
  ): Promise<UsageTaken> {
    const { model, ...call } = options;
    const body = { usage, ...(model !== undefined && { model }) };
    return this.http.send('POST', path`/v1/sessions/${session}/usage`, { body }, call);
  }

  completeTurn(session: string, stopReason?: string, options?: CallOptions): Promise<CompletedTurn> {
    return this.http.send(
      'POST',
      path`/v1/sessions/${session}/complete-turn`,
      { body: { stopReason } },
      options,
    );
  }

  /**
   * Composes the next request; waits for a compaction that must precede it.
   *
   * @throws {PalimpsestError} `request-refused` with `problem.remedies`; `context-overflow`.
   */
  compose(session: string, input: ComposeOptions = {}, options?: CallOptions): Promise<Composed> {
    return this.http.send('POST', path`/v1/sessions/${session}/compose`, { body: input }, patient(options));
  }

  /**
   * Appends messages and composes the next request in Anthropic's form, in one call. The answer refers to messages of the session
   * instead of repeating them; waits for a compaction that must precede the request.
   *
   * @throws {PalimpsestError} like {@link append} and {@link compose}. After `request-refused` and `context-overflow`, the messages
   *   are appended.
   */
  appendAndCompose(
    session: string,
    input: AppendAndComposeRequest = {},
    options?: CallOptions,
  ): Promise<ComposedByReference> {
    return this.http.send(
      'POST',
      path`/v1/sessions/${session}/append-and-compose`,
      { body: input },
      patient(options),
    );
  }

  /**
   * Returns the request of the next model call, now or as of a revision or time; as of the ID of a request, that exact request
   * with `digestMatches`. Records nothing.
   */
  context(
    session: string,
    options: CallOptions & { readonly format?: WireFormat; readonly asOf?: AsOf } = {},
  ): Promise<ContextView> {
    const { format, asOf } = options;
    return this.http.send('GET', path`/v1/sessions/${session}/context`, { query: { format, asOf } }, options);
  }

  /** Reports an error of the provider; makes room if the request was too large. */
  reportOverflow(
    session: string,
    error: ReportOverflowRequest,
    options?: CallOptions,
  ): Promise<OverflowAnswer> {
    return this.http.send(
      'POST',
      path`/v1/sessions/${session}/report-overflow`,
      { body: error },
      patient(options),
    );
  }

  /** Reports context edits of the provider: an answer of Anthropic's, or its `applied_edits`. */
  reportEdits(session: string, answer: unknown, options?: CallOptions): Promise<EditsReported> {
    return this.http.send('POST', path`/v1/sessions/${session}/report-edits`, { body: answer }, options);
  }

  /**
   * Returns the occupancy over revisions, or over the time of activity, in at most `bins` points, 400 by default, with compactions
   * and other marks.
   */
  occupancy(
    session: string,
    { from, to, bins, axis, idleAfterSeconds, ...options }: CallOptions & GetOccupancyQuery = {},
  ): Promise<OccupancySeries> {
    return this.http.send(
      'GET',
      path`/v1/sessions/${session}/occupancy`,
      { query: { from, to, bins, axis, idleAfterSeconds } },
      options,
    );
  }

  /** Returns the effect of each compaction on each turn of a range: 100 turns by default, at most 500. */
  retentionMap(
    session: string,
    options: CallOptions & { readonly from?: number; readonly turns?: number } = {},
  ): Promise<RetentionMap> {
    const { from, turns } = options;
    return this.http.send(
      'GET',
      path`/v1/sessions/${session}/retention-map`,
      { query: { from, turns } },
      options,
    );
  }

  /** Returns a window of the original messages from a revision on, 100 by default and at most 500. */
  messages(
    session: string,
    options: CallOptions & { readonly from?: number; readonly limit?: number } = {},
  ): Promise<MessageWindow> {
    const { from, limit } = options;
    return this.http.send('GET', path`/v1/sessions/${session}/messages`, { query: { from, limit } }, options);
  }

  /** Compares the contexts of two states. */
  diff(
    session: string,
    a: AsOf,
    b: AsOf,
    options: CallOptions & { readonly content?: boolean } = {},
  ): Promise<ContextDiff> {
    const query = { a, b, content: options.content };
    return this.http.send('GET', path`/v1/sessions/${session}/diff`, { query }, options);
  }

  /** Returns the current place of a message: in full, summarized, or removed from the context. */
  provenance(session: string, message: string, options?: CallOptions): Promise<Provenance> {
    return this.http.send('GET', path`/v1/sessions/${session}/messages/${message}/provenance`, {}, options);
  }

  /** Returns an original message, block or tool result. */
  message(
    session: string,
    message: string,
    { block, call, byte, bytes, line, lines, ...options }: CallOptions & GetMessageQuery = {},
  ): Promise<StoredMessage> {
    const query = { block, call, byte, bytes, line, lines };
    return this.http.send('GET', path`/v1/sessions/${session}/messages/${message}`, { query }, options);
  }

  /** Answers a call of the tool `recall_history` with its input. */
  recall(session: string, input: object, options?: CallOptions): Promise<Recalled> {
    return this.http.send('POST', path`/v1/sessions/${session}/recall`, { body: input }, options);
  }

  /** Searches the original messages for a text, newest first; `before` of the answer continues. */
  search(
    session: string,
    text: string,
    { limit, before, ...options }: CallOptions & { readonly limit?: number; readonly before?: string } = {},
  ): Promise<TextMatches> {
    const query = { text, limit, before };
    return this.http.send('GET', path`/v1/sessions/${session}/search`, { query }, options);
  }

  /** Iterates over all original messages, or the given one. */
  async *export(
    session: string,
    options: CallOptions & { readonly message?: string; readonly asOf?: AsOf } = {},
  ): AsyncGenerator<ExportedMessage, void, undefined> {
    const content = {
      query: { message: options.message, asOf: options.asOf },
      accept: 'application/x-ndjson',
    };
    yield* jsonLines<ExportedMessage>(
      await this.http.stream('GET', path`/v1/sessions/${session}/export`, content, options),
    );
  }

  /**
   * Exports the proof bundle of the session as text, in parts. `content` is `clear` by default, which needs `content:read`; with
   * `since`, it proves that the log continues its tree of that size.
   */
  async *proof(
    session: string,
    options: CallOptions & { readonly content?: 'clear' | 'sealed'; readonly since?: number } = {},
  ): AsyncGenerator<string, void, undefined> {
    const content = {
      query: { content: options.content, since: options.since },
      accept: 'application/x-ndjson',
    };
    yield* textParts(await this.http.stream('GET', path`/v1/sessions/${session}/proof`, content, options));
  }

  /**
   * Exports the session as one HTML file that verifies itself, as text in parts. `content` is `none` by default; `clear` needs
   * `content:read`.
   */
  async *html(
    session: string,
    options: CallOptions & { readonly content?: 'none' | 'clear' } = {},
  ): AsyncGenerator<string, void, undefined> {
    const content = { query: { content: options.content }, accept: 'text/html' };
    yield* textParts(await this.http.stream('GET', path`/v1/sessions/${session}/page`, content, options));
  }

  /** Iterates over the events of the session with content, oldest first: all, or `limit` of them. */
  async *events(
    session: string,
    options: CallOptions & { readonly from?: number; readonly limit?: number } = {},
  ): AsyncGenerator<LoggedEvent, void, undefined> {
    const content = { query: { from: options.from, limit: options.limit }, accept: 'application/x-ndjson' };
    yield* jsonLines<LoggedEvent>(
      await this.http.stream('GET', path`/v1/sessions/${session}/events`, content, options),
    );
  }

  /** Returns `limit` events of the session from a revision on. */
  async eventWindow(
    session: string,
    options: CallOptions & { readonly from: number; readonly limit: number },
  ): Promise<readonly LoggedEvent[]> {
    const found: LoggedEvent[] = [];
    for await (const event of this.events(session, options)) found.push(event);
    return found;
  }

  changeSettings(session: string, change: ChangeSettingsRequest, options?: CallOptions): Promise<Settings> {
    return this.http.send('PATCH', path`/v1/sessions/${session}/settings`, { body: change }, options);
  }

  /** Pins content that every request contains and no compaction changes; returns all pins. */
  pin(
    session: string,
    pin: string,
    content: PinContentRequest,
    options?: CallOptions,
  ): Promise<readonly Pin[]> {
    return this.http.send('PUT', path`/v1/sessions/${session}/pins/${pin}`, { body: content }, options);
  }

  unpin(session: string, pin: string, options?: CallOptions): Promise<readonly Pin[]> {
    return this.http.send('DELETE', path`/v1/sessions/${session}/pins/${pin}`, {}, options);
  }

  /** Defers automatic compactions while requests still fit. */
  defer(session: string, hold: DeferCompactionsRequest, options?: CallOptions): Promise<Deferred> {
    return this.http.send('POST', path`/v1/sessions/${session}/defer`, { body: hold }, options);
  }

  release(session: string, reason?: string, options?: CallOptions): Promise<Released> {
    return this.http.send('POST', path`/v1/sessions/${session}/release`, { body: { reason } }, options);
  }

  /** Clears the context down to the current user input; the log keeps everything. */
  reset(session: string, request: ResetSessionRequest, options?: CallOptions): Promise<ResetDone> {
    return this.http.send('POST', path`/v1/sessions/${session}/reset`, { body: request }, options);
  }

  /** Opens a session with the context of this one, now or as of a revision. */
  fork(session: string, request: ForkSessionRequest, options?: CallOptions): Promise<Forked> {
    return this.http.send('POST', path`/v1/sessions/${session}/fork`, { body: request }, options);
  }

  /** Closes a session permanently; it stays readable. */
  close(session: string, reason?: string, options?: CallOptions): Promise<Closed> {
    return this.http.send('POST', path`/v1/sessions/${session}/close`, { body: { reason } }, options);
  }
}
