import type { Message, OpenSession as OpenState, SessionState } from '@app/domain';
import type { ClientRequest } from '@app/formats';
import { AppError, defined, type MessageId, type Revision, SessionId } from '@app/kernel';
import type { Clock, Conversations, EventLog, KeyedDigests, ModelRegistry, TokenCounter } from '@app/ports';
import type { CommandExecutor } from '../../command-and-query.js';
import { AppendMessages, appendBatches } from '../../commands/append-messages.js';
import { ForkSession } from '../../commands/sessions/fork-session.js';
import { OpenSession } from '../../commands/sessions/open-session.js';
import { SYSTEM_LABEL, WIRE_LABEL } from '../../requests/request-parts.js';

import { requireOpen, type SessionRef, streamOf } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import type { GatewayCall } from '../gateway-call.js';
import { namesFrom, profileFor } from './beginnings.js';
import { type Digest, linksOf, messageIdOf, type NamedItems, seedOf } from './chains.js';
import { firstNew } from './growth.js';
import { KnownPlaces } from './known-places.js';
import { PendingCalls } from './pending-calls.js';

export type RouterParts = {
  readonly sessions: SessionStore;
  readonly log: EventLog;
  readonly conversations: Conversations;
  readonly counter: TokenCounter;
  readonly clock: Clock;
  /** Prices and tokenizers of models. */
  readonly models: ModelRegistry;
  readonly commands: CommandExecutor;
  readonly keyed: KeyedDigests;
};
/** A client's request, and the contents that it names instead of holding them. */
export type ReadRequest = {
  readonly request: ClientRequest;
  readonly named: NamedItems;
  /** Digest of the history that it continues. */
  readonly base?: Digest;
};
/** The history of a client, matched with a session. */
export type HistoryMatch = {
  readonly seed: Digest;
  /** Digest of the history up to each message. */
  readonly chains: readonly Digest[];
  readonly ids: readonly MessageId[];
  readonly known:
    | {
        readonly ref: SessionRef;
        readonly state: OpenState;
        /** Number of the client's messages that the session has. */
        readonly count: number;
        /** Whether the session ends with them. */
        readonly isTip: boolean;
        /** Revision of a state from the cache, at which alone the request may be recorded. */
        readonly cachedAt: Revision | undefined;
      }
    | undefined;
};
/** The session of a history. */
export type Placement = {
  readonly ref: SessionRef;
  /** Digest of the whole history, from which the digest of the answer follows. */
  readonly chain: Digest;
  readonly ids: readonly MessageId[];
  /** Messages of the session with the whole history. */
  readonly messages: number;
  /** Revision at which alone the request may be recorded. */
  readonly cachedAt: Revision | undefined;
  /** State before the request; `undefined` if the request has opened the session. */
  readonly state: OpenState | undefined;
  /** New messages to append together with the request. */
  readonly newMessages: readonly Message[];
  /** Number of times that sessions had been forgotten when the request was placed. */
  readonly timesForgotten: number;
  /** Lets other requests find the history, once it is recorded; stores it once. */
  readonly remember: () => Promise<void>;
};

type RoutedSession = Pick<Placement, 'ref' | 'state' | 'cachedAt'> & {
  /** Index of the client's first message that the session lacks. */
  readonly from: number;
};

/** Routes the histories of clients to sessions: appends new messages, and forks the session if a history has branched. */
export class SessionRouter {
  private readonly places: KnownPlaces;
  private readonly pending = new PendingCalls();

  constructor(private readonly parts: RouterParts) {
    this.places = new KnownPlaces(parts.conversations);
  }

  /** Stores the sessions of histories. */
  remember(...place: Parameters<Conversations['remember']>): Promise<void> {
    return this.places.remember(...place);
  }

  /**
   * Matches a history with a session; writes nothing.
   *
   * @param mayBeCached whether a session that continues with the request may be taken from the cache, without a read of the log.
   */
  async match(
    call: GatewayCall,
    { request, named, base }: ReadRequest,
    mayBeCached = false,
  ): Promise<HistoryMatch> {
    const seed = base ?? seedOf(call.wire, call.wishes.session);
    const digester = await this.parts.keyed.digester(call.tenant, 'history');
    const links = await linksOf(seed, request.messages, named, digester);
    const chains = links.map(({ chain }) => chain);
    const ids = links.map(({ id }) => id);
    const newestFirst = [...(base === undefined ? [] : [base]), ...chains].reverse();
    let at: SessionState | undefined;
    let cachedAt: Revision | undefined;
    const found = await this.places.find(call.tenant, newestFirst, async ({ session, messages }) => {
      const ref = { tenant: call.tenant, session };
      const cached = mayBeCached ? this.parts.sessions.cached(ref) : undefined;
      if (cached && endsAt(cached.state, messages) && !cached.state.closed) {
        [at, cachedAt] = [cached.state, cached.revision];
        return true;
      }
      at = (await this.parts.sessions.load(ref)).state;
      return endsAt(at, messages);
    });
    if (!found) return { seed, chains, ids, known: undefined };
    const ref = { tenant: call.tenant, session: found.session };
    const isHere = at?.status === 'open' && at.opened.sessionId === found.session;
    const state = isHere && at ? at : (await this.parts.sessions.load(ref)).state;
    if (state.status !== 'open' || state.closed) return { seed, chains, ids, known: undefined };
    const count = chains.indexOf(found.chain) + 1;
    if (state.messages === found.messages)
      return { seed, chains, ids, known: { ref, state, count, isTip: true, cachedAt } };
    // Another request may have recorded more of the same history without storing its place yet.
    const last = state.entries.at(-1)?.message.id;
    const tip = last === undefined ? 0 : ids.indexOf(last) + 1;
    // Or may have stored its place without recording it yet.
    const recorded = state.messages < found.messages ? tip : Math.max(count, tip);
    const isTip = tip > 0 && tip >= recorded;
    return { seed, chains, ids, known: { ref, state, count: recorded, isTip, cachedAt: undefined } };
  }

  /**
   * Matches a history like {@link match} for a call that waits for an answer. Concurrent calls with the same history are
   * different agents, and each receives a session of its own.
   */
  async claim(call: GatewayCall, read: ReadRequest, mayBeCached: boolean): Promise<HistoryMatch> {
    const match = await this.match(call, read, mayBeCached);
    const isAlone = this.pending.add(call, match.chains.at(-1) ?? match.seed);
    return isAlone ? match : { ...match, known: match.known && { ...match.known, isTip: false } };
  }

  /** Routes a history to a session, opening or forking one if needed. @throws {AppError} as the commands on sessions do. */
  async route(call: GatewayCall, request: ClientRequest, match: HistoryMatch): Promise<Placement> {
    return this.appendNew(call, request, match, await this.sessionFor(call, request, match));
  }

  /** Returns the session of an answer: that of the request, or a fork if it has changed meanwhile. */
  async forAnswer(
    { ref, ids, chain, messages }: Placement,
    caller: Caller,
  ): Promise<{ readonly ref: SessionRef; readonly messages: number }> {
    const state = requireOpen(ref, (await this.parts.sessions.load(ref)).state);
    const last = ids.at(-1);
    if (state.messages === messages || last === undefined) return { ref, messages: state.messages };
    const forked = await this.fork(ref, last, ref.session, chain, caller);
    const { state: copy } = await this.parts.sessions.load(forked);
    return { ref: forked, messages: requireOpen(forked, copy).messages };
  }

  /** Whether other messages have been recorded after those of a request. */
  async hasMoved({ ref, messages }: Placement): Promise<boolean> {
    return requireOpen(ref, (await this.parts.sessions.load(ref)).state).messages !== messages;
  }

  private async sessionFor(
    call: GatewayCall,
    request: ClientRequest,
    { chains, ids, known, seed }: HistoryMatch,
  ): Promise<RoutedSession> {
    if (known?.isTip) {
      const { ref, state, count, cachedAt } = known;
      return { ref, state, from: count, cachedAt };
    }
    const from = firstNew(request, known);
    // An answer that the client refers to by ID is the start of the chain.
    const last = ids[from - 1] ?? (request.continues === undefined ? undefined : messageIdOf(seed));
    if (known && last !== undefined) {
      const tip = chains.at(-1) ?? seed;
      const ref = await this.fork(
        known.ref,
        last,
        call.wishes.session ?? known.ref.session,
        tip,
        call.caller,
      );
      const state = requireOpen(ref, (await this.parts.sessions.load(ref)).state);
      return { ref, state, from, cachedAt: undefined };
    }
    const ref = await this.open(call, request, chains.at(-1) ?? seed);
    return { ref, state: undefined, from: 0, cachedAt: undefined };
  }

  private async open(call: GatewayCall, request: ClientRequest, chain: Digest): Promise<SessionRef> {
    const { session, agentSession, window, title, agent, project, labels, subjects } = call.wishes;
    const input = {
      model: request.model,
      profile: profileFor(call, request),
      ...(window !== undefined && { window }),
      systemPrompt: request.system,
      tools: request.tools,
      ...defined({ agent, title, project }),
      ...(subjects && { subjects, subjectsApplyTo: 'opening' as const }),
      labels: {
        ...labels,
        [WIRE_LABEL]: call.wire,
        ...(request.systemAs && { [SYSTEM_LABEL]: request.systemAs }),
      },
    };
    const named = session ?? agentSession ?? SessionId(`gw-${chain.slice(0, 20)}`);
    for (const name of namesFrom(named, chain)) {
      const ref = { tenant: call.tenant, session: name };
      // An existing session of that name is another conversation.
      if ((await this.parts.sessions.load(ref)).state.status !== 'absent') continue;
      if (await this.isCreated(new OpenSession(ref, input, call.caller))) return ref;
    }
    throw new AppError('session-already-open', `there are sessions of every name like "${named}"`);
  }

  /** Forks a session as of a message. */
  private async fork(
    ref: SessionRef,
    last: MessageId,
    named: SessionId,
    chain: Digest,
    caller: Caller,
  ): Promise<SessionRef> {
    const at = await this.revisionOf(ref, last);
    for (const name of namesFrom(SessionId(named.slice(0, 90)), chain).slice(1)) {
      const forked = { tenant: ref.tenant, session: name };
      if ((await this.parts.sessions.load(forked)).state.status !== 'absent') continue;
      if (await this.isCreated(new ForkSession(ref, { as: name, at }, caller))) return forked;
    }
    throw new AppError('session-already-open', `there are sessions of every name like "${named}"`);
  }

  /** Returns `false` if a session of that ID has been created meanwhile. */
  private async isCreated(command: OpenSession | ForkSession): Promise<boolean> {
    try {
      await this.parts.commands.execute<unknown>(command);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'session-already-open') return false;
      throw error;
    }
  }

  private async revisionOf(ref: SessionRef, id: MessageId) {
    /** Revision of recall results, which belong to the answer before them. */
    let results: Revision | undefined;
    for await (const { event, revision } of this.parts.log.readBackwards(streamOf(ref))) {
      if (event.type !== 'MessageAppended') continue;
      const { message } = event.data;
      if (message.id === id) return results ?? revision;
      results = message.role === 'user' && message.clientHas === 'nothing' ? revision : undefined;
    }
    throw new AppError('message-not-found', `session "${ref.session}" has no message "${id}"`);
  }

  private async appendNew(
    { tenant, caller, wishes: { subjects } }: GatewayCall,
    request: ClientRequest,
    { seed, chains, ids }: HistoryMatch,
    { ref, state, from, cachedAt }: RoutedSession,
  ): Promise<Placement> {
    const messages = state?.messages ?? 0;
    const all = request.messages.slice(from).map((reply, at): Message => {
      const id = ids[from + at] ?? messageIdOf(seed);
      return { id, role: reply.role, blocks: reply.blocks, ...(subjects && { subjects }) };
    });
    // Full batches are appended now, the last one together with the request.
    const batches = appendBatches(all);
    const newMessages = batches.pop() ?? [];
    // Only the last batch is held to a revision: the history is routed again, on the current state.
    if (batches.length > 0 && cachedAt !== undefined) throw changedMeanwhile(ref);
    for (const batch of batches) await this.parts.commands.execute(new AppendMessages(ref, batch, caller));
    const places = chains.slice(from).map((chain, at) => ({ chain, messages: messages + at + 1 }));
    let remembered: Promise<void> | undefined;
    const remember = () => {
      remembered ??= this.places.remember(tenant, ref.session, places);
      return remembered;
    };
    const chain = chains.at(-1) ?? seed;
    const { timesForgotten } = this.parts.sessions;
    const placed = {
      ref,
      chain,
      ids,
      state,
      newMessages,
      remember,
      timesForgotten,
      cachedAt,
    };
    return { ...placed, messages: messages + all.length };
  }
}

const endsAt = (state: SessionState, messages: number): state is OpenState =>
  state.status === 'open' && state.messages === messages;

/** Returns the error upon which the history is routed again. */
export const changedMeanwhile = ({ session }: SessionRef): AppError =>
  new AppError(
    'message-conflict',
    `session "${session}" was changed by another request: send the request again`,
  );
