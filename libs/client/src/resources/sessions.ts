import type { Message, Usage } from '../messages/message.js';
import { jsonLines } from '../streams/lines.js';
import { path } from '../transport/path.js';
import type { CallOptions } from '../transport/transport.js';
import type { ContextDiff, Provenance } from '../types/comparisons.js';
import type { CompletedTurn, ConversationAppended, UsageTaken } from '../types/messages.js';
import type { MessagePart, Recalled, StoredMessage } from '../types/recall.js';
import type {
  ComposeAnswer,
  ContextView,
  EditsReported,
  LadderPolicy,
  OverflowAnswer,
  WireFormat,
} from '../types/requests.js';
import type {
  AsOf,
  ExportedMessage,
  Limits,
  LoggedEvent,
  SessionFilter,
  SessionSummary,
  SessionView,
} from '../types/sessions.js';
import { ManagedSessions, type ProfileSource } from './managed-sessions.js';
import { itemsOf, type Page } from './pages.js';

export type OpenInput = {
  /** Its name: letters, digits and `_ . : -`. */
  readonly session: string;
  /** The model that its requests go to. */
  readonly model?: string;
  /** Tokens; 0 is unlimited. The model's where it is not given. */
  readonly window?: number;
  readonly profile?: ProfileSource;
  readonly system?: string;
  readonly tools?: readonly object[];
  /** Metadata by which people find it: every reader of the tenant sees it, and no model. */
  readonly title?: string;
  /** The program that carries on the session, such as `claude-code`. */
  readonly agent?: string;
  /** A working folder, a repository or a name. */
  readonly project?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** The session that it is a child of. */
  readonly parent?: string;
  /** What a child is told to do: pinned. */
  readonly mandate?: string;
};
export type Opened = { readonly session: string; readonly model: string; readonly limits: Limits };
/** What a provider billed, and for which request: the last one before the answer where it is not named. */
export type ReportedUsage = Usage & {
  /** As `compose` has named it. */
  readonly requestId?: string;
};
export type Conversation = {
  readonly messages: readonly Message[];
  /** What the provider billed for the last answer of the model among them. */
  readonly usage?: ReportedUsage;
  /** Why the turn has ended, where it has. */
  readonly stopReason?: string;
};
export type ComposeInput = {
  /** In the place of the profile's, for this request alone: `off` answers with the error instead of a shortened request. */
  readonly ladder?: LadderPolicy;
  readonly format?: WireFormat;
  /** This one turn goes on although a compaction is required. */
  readonly override?: { readonly reason: string };
  /** What this one request carries besides the session. */
  readonly contributions?: readonly { readonly name: string; readonly text: string }[];
};
export type Composed = Extract<ComposeAnswer, { readonly outcome: 'composed' }>;
/** What a provider refused a request with. */
export type ProviderError = { readonly message: string; readonly status?: number; readonly code?: string };

/** A call may wait for a compaction that has to come first. */
const WAITING_MS = 660_000;
const patient = (options: CallOptions = {}): CallOptions => ({ timeoutMs: WAITING_MS, ...options });

/** Sessions: what is said in them, and the requests that are made of it. */
export class Sessions extends ManagedSessions {
  /** Begins a session, alone or as the child of another. */
  open(input: OpenInput, options?: CallOptions): Promise<Opened> {
    return this.http.send('POST', path`/v1/sessions`, { body: input }, options);
  }

  /** The sessions that pass the filters, newest activity first unless sorted; a moment behind the log. */
  list(
    options?: CallOptions & SessionFilter & { readonly limit?: number },
  ): AsyncGenerator<SessionSummary, void, undefined> {
    return itemsOf((cursor) => this.page({ ...options, ...(cursor !== undefined && { cursor }) }));
  }

  /** One page of the list; `limit` is 100 where it is not given, and at most 1,000. */
  page(
    options: CallOptions & SessionFilter & { readonly limit?: number; readonly cursor?: string } = {},
  ): Promise<Page<SessionSummary>> {
    const { agent, project, label, state, minOccupancy, title, sort, limit, cursor } = options;
    const query = { agent, project, label, state, minOccupancy, title, sort, limit, cursor };
    return this.http.send('GET', path`/v1/sessions`, { query }, options);
  }

  /** State, settings, pins and budget, as of this instant. */
  get(session: string, options?: CallOptions): Promise<SessionView> {
    return this.http.send('GET', path`/v1/sessions/${session}`, {}, options);
  }

  /** Appends messages, and holds the next request to the budget. What the session ends with already is left out. */
  append(session: string, conversation: Conversation, options?: CallOptions): Promise<ConversationAppended> {
    return this.http.send('POST', path`/v1/sessions/${session}/messages`, { body: conversation }, options);
  }

  /** Reports what the provider billed for a request, apart from its answer: late, or before the answer is appended. */
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
   * Composes the next request, and waits for a compaction that must come first.
   *
   * @throws {PalimpsestError} `request-refused`, with `problem.remedies`; `context-overflow`.
   */
  compose(session: string, input: ComposeInput = {}, options?: CallOptions): Promise<Composed> {
    return this.http.send('POST', path`/v1/sessions/${session}/compose`, { body: input }, patient(options));
  }

  /**
   * The request that the next model call would send, now or as of a revision or a time; as of the id of a request, that very
   * request, with `digestMatches`. It records nothing.
   */
  context(
    session: string,
    options: CallOptions & { readonly format?: WireFormat; readonly asOf?: AsOf } = {},
  ): Promise<ContextView> {
    const { format, asOf } = options;
    return this.http.send('GET', path`/v1/sessions/${session}/context`, { query: { format, asOf } }, options);
  }

  /** The provider refused the request: makes room where it was too large. */
  reportOverflow(session: string, error: ProviderError, options?: CallOptions): Promise<OverflowAnswer> {
    return this.http.send(
      'POST',
      path`/v1/sessions/${session}/report-overflow`,
      { body: error },
      patient(options),
    );
  }

  /** What the provider's own context management removed: an answer of Anthropic's, or its `applied_edits`. */
  reportEdits(session: string, answer: unknown, options?: CallOptions): Promise<EditsReported> {
    return this.http.send('POST', path`/v1/sessions/${session}/report-edits`, { body: answer }, options);
  }

  /** What the contexts of two states have in common and what not. */
  diff(
    session: string,
    a: AsOf,
    b: AsOf,
    options: CallOptions & { readonly content?: boolean } = {},
  ): Promise<ContextDiff> {
    const query = { a, b, content: options.content };
    return this.http.send('GET', path`/v1/sessions/${session}/diff`, { query }, options);
  }

  /** Where a message is now: in full, behind a summary, or gone from the context. */
  provenance(session: string, message: string, options?: CallOptions): Promise<Provenance> {
    return this.http.send('GET', path`/v1/sessions/${session}/messages/${message}/provenance`, {}, options);
  }

  /** A message, a block or the result of a call as it was appended, whatever compactions have done since. */
  message(
    session: string,
    message: string,
    { block, call, byte, bytes, line, lines, ...options }: CallOptions & MessagePart = {},
  ): Promise<StoredMessage> {
    const query = { block, call, byte, bytes, line, lines };
    return this.http.send('GET', path`/v1/sessions/${session}/messages/${message}`, { query }, options);
  }

  /** Answers a call of the tool `recall_history`; the input is that of the call. */
  recall(session: string, input: object, options?: CallOptions): Promise<Recalled> {
    return this.http.send('POST', path`/v1/sessions/${session}/recall`, { body: input }, options);
  }

  /** Every message ever appended, whatever compactions have done since; or the one named. */
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

  /** The log itself, with all content, oldest first. */
  async *events(
    session: string,
    options: CallOptions & { readonly from?: number } = {},
  ): AsyncGenerator<LoggedEvent, void, undefined> {
    const content = { query: { from: options.from }, accept: 'application/x-ndjson' };
    yield* jsonLines<LoggedEvent>(
      await this.http.stream('GET', path`/v1/sessions/${session}/events`, content, options),
    );
  }
}
