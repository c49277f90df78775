import type { Message, OpenSession as OpenState, SessionState } from '@app/domain';
import type { ClientRequest, Digest } from '@app/formats';
import { AppError, type MessageId, type Revision, SessionId } from '@app/kernel';
import type { Clock, Conversations, EventLog, ModelRegistry, TokenCounter } from '@app/ports';
import { AppendMessages } from '../../commands/append-messages.js';
import type { CommandExecutor } from '../../commands/command-executor.js';
import { ForkSession } from '../../commands/sessions/fork-session.js';
import { OpenSession } from '../../commands/sessions/open-session.js';
import { SYSTEM_LABEL, WIRE_LABEL } from '../../requests/labels.js';
import { appendBatches } from '../../sessions/append-batches.js';
import { requireOpen } from '../../sessions/require-open.js';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import type { GatewayCall } from '../gateway-call.js';
import { namesFrom, profileFor } from './beginnings.js';
import { chainsOf, messageIdOf, seedOf } from './chains.js';
import { firstNew } from './growth.js';
import { KnownPlaces } from './known-places.js';
import { UnderWay } from './under-way.js';

export type PlacingParts = {
  readonly sessions: SessionStore;
  readonly log: EventLog;
  readonly conversations: Conversations;
  readonly counter: TokenCounter;
  readonly clock: Clock;
  /** What models cost, and how their tokens are counted. */
  readonly models: ModelRegistry;
  readonly commands: CommandExecutor;
};
/** A history that a client has sent, and what of it is known. */
export type Heard = {
  readonly seed: Digest;
  /** The history up to and including each message. */
  readonly chains: readonly Digest[];
  readonly ids: readonly MessageId[];
  readonly known:
    | {
        readonly ref: SessionRef;
        readonly state: OpenState;
        /** Messages of the client that the session has. */
        readonly count: number;
        /** Whether the session ends with them. */
        readonly isTip: boolean;
      }
    | undefined;
};
/** Where a history has its place. */
export type Placed = {
  readonly ref: SessionRef;
  /** Of the history, and its name in the session; that of the answer follows from it. */
  readonly chain: Digest;
  readonly ids: readonly MessageId[];
  /** Messages of the session, once all of the history is in it. */
  readonly messages: number;
  /** As it was before; `undefined` for one that this very request has opened. */
  readonly state: OpenState | undefined;
  /** What of it is still to be recorded, with the request that it is for. */
  readonly news: readonly Message[];
  /** Settles when the history can be found by others. */
  readonly remembered: Promise<void>;
};

type Found = Pick<Placed, 'ref' | 'state'> & {
  /** The first message of the client that the session does not have. */
  readonly from: number;
};

/** Gives the histories of clients their places in sessions: what is new is appended, and what has branched is forked. */
export class Placing {
  private readonly places: KnownPlaces;
  private readonly underWay = new UnderWay();

  constructor(private readonly parts: PlacingParts) {
    this.places = new KnownPlaces(parts.conversations);
  }

  /** Makes it known where a history has its place now. */
  remember(...place: Parameters<Conversations['remember']>): Promise<void> {
    return this.places.remember(...place);
  }

  /** What is known of a history; nothing is written. */
  async hear(call: GatewayCall, request: ClientRequest, base?: Digest): Promise<Heard> {
    const seed = base ?? seedOf(call.wire, call.wishes.session);
    const chains = await chainsOf(seed, request.messages);
    const ids = chains.map(messageIdOf);
    const newestFirst = [...(base === undefined ? [] : [base]), ...chains].reverse();
    let at: SessionState | undefined;
    const found = await this.places.find(call.tenant, newestFirst, async ({ session, messages }) => {
      at = (await this.parts.sessions.load({ tenant: call.tenant, session })).state;
      return at.status === 'open' && at.messages === messages;
    });
    if (!found) return { seed, chains, ids, known: undefined };
    const ref = { tenant: call.tenant, session: found.session };
    const isHere = at?.status === 'open' && at.opened.sessionId === found.session;
    const state = isHere && at ? at : (await this.parts.sessions.load(ref)).state;
    if (state.status !== 'open' || state.closed) return { seed, chains, ids, known: undefined };
    const count = chains.indexOf(found.chain) + 1;
    if (state.messages === found.messages)
      return { seed, chains, ids, known: { ref, state, count, isTip: true } };
    // Somebody may have recorded more of the very same history, and not come to say so.
    const last = state.entries.at(-1)?.message.id;
    const tip = last === undefined ? 0 : ids.indexOf(last) + 1;
    // Or is about to record it, and has come to say so first.
    const recorded = state.messages < found.messages ? tip : Math.max(count, tip);
    const known = { ref, state, count: recorded, isTip: tip > 0 && tip >= recorded };
    return { seed, chains, ids, known };
  }

  /**
   * The same for whoever waits for an answer from now on. Others who wait for one to the same history are other agents:
   * each gets a session that holds its own answer alone.
   */
  async enter(call: GatewayCall, request: ClientRequest, base?: Digest): Promise<Heard> {
    const heard = await this.hear(call, request, base);
    const isAlone = this.underWay.enter(call, heard.chains.at(-1) ?? heard.seed);
    return isAlone ? heard : { ...heard, known: heard.known && { ...heard.known, isTip: false } };
  }

  /** Gives a history its place, whatever it takes. @throws {AppError} as the commands on sessions do. */
  async place(call: GatewayCall, request: ClientRequest, heard: Heard): Promise<Placed> {
    return this.placed(call, request, heard, await this.sessionFor(call, request, heard));
  }

  /**
   * The session that an answer belongs to: the one that the request went to, or a fork of it where that has gone on
   * meanwhile.
   */
  async forAnswer(
    { ref, ids, chain, messages }: Placed,
    caller: Caller,
  ): Promise<{ readonly ref: SessionRef; readonly messages: number }> {
    const state = requireOpen(ref, (await this.parts.sessions.load(ref)).state);
    const last = ids.at(-1);
    if (state.messages === messages || last === undefined) return { ref, messages: state.messages };
    const forked = await this.fork(ref, last, ref.session, chain, caller);
    const { state: copy } = await this.parts.sessions.load(forked);
    return { ref: forked, messages: requireOpen(forked, copy).messages };
  }

  private async sessionFor(
    call: GatewayCall,
    request: ClientRequest,
    { chains, ids, known, seed }: Heard,
  ): Promise<Found> {
    if (known?.isTip) return { ref: known.ref, state: known.state, from: known.count };
    const from = firstNew(request, known);
    // An answer that the client goes on from by its name is where its own chain begins.
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
      return { ref, state, from };
    }
    return { ref: await this.open(call, request, chains.at(-1) ?? seed), state: undefined, from: 0 };
  }

  private async open(call: GatewayCall, request: ClientRequest, chain: Digest): Promise<SessionRef> {
    const { session, window, agent, project } = call.wishes;
    const input = {
      model: request.model,
      profile: profileFor(call, request),
      ...(window !== undefined && { window }),
      systemPrompt: request.system,
      tools: request.tools,
      ...(agent !== undefined && { agent }),
      ...(project !== undefined && { project }),
      labels: {
        [WIRE_LABEL]: call.wire,
        ...(request.systemAs && { [SYSTEM_LABEL]: request.systemAs }),
      },
    };
    const named = session ?? SessionId(`gw-${chain.slice(0, 20)}`);
    for (const name of namesFrom(named, chain)) {
      const ref = { tenant: call.tenant, session: name };
      // One of that name may be there since before: it is another conversation.
      if ((await this.parts.sessions.load(ref)).state.status !== 'absent') continue;
      if (await this.isMade(new OpenSession(ref, input, call.caller))) return ref;
    }
    throw new AppError('session-already-open', `there are sessions of every name like "${named}"`);
  }

  /** The context as of a message, in a session of its own. */
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
      if (await this.isMade(new ForkSession(ref, { as: name, at }, caller))) return forked;
    }
    throw new AppError('session-already-open', `there are sessions of every name like "${named}"`);
  }

  /** `false` where somebody else was faster with a session of that name. */
  private async isMade(command: OpenSession | ForkSession): Promise<boolean> {
    try {
      await this.parts.commands.execute<unknown>(command);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'session-already-open') return false;
      throw error;
    }
  }

  private async revisionOf(ref: SessionRef, id: MessageId) {
    /** Results of the gateway's own, which belong to the answer before them. */
    let results: Revision | undefined;
    for await (const { event, revision } of this.parts.log.readBackwards(streamOf(ref))) {
      if (event.type !== 'MessageAppended') continue;
      const { message } = event.data;
      if (message.id === id) return results ?? revision;
      results = message.role === 'user' && message.clientHas === 'nothing' ? revision : undefined;
    }
    throw new AppError('message-not-found', `session "${ref.session}" does not have the message "${id}"`);
  }

  private async placed(
    { tenant, caller }: GatewayCall,
    request: ClientRequest,
    { seed, chains, ids }: Heard,
    { ref, state, from }: Found,
  ): Promise<Placed> {
    const messages = state?.messages ?? 0;
    const all = request.messages.slice(from).map((said, at): Message => {
      const id = ids[from + at] ?? messageIdOf(seed);
      return { id, role: said.role, blocks: said.blocks };
    });
    // Of what one append cannot hold, the last part waits for the request.
    const batches = appendBatches(all);
    const news = batches.pop() ?? [];
    for (const batch of batches) await this.parts.commands.execute(new AppendMessages(ref, batch, caller));
    const places = chains.slice(from).map((chain, at) => ({ chain, messages: messages + at + 1 }));
    const remembered = this.places.remember(tenant, ref.session, places);
    remembered.catch(() => {}); // Heard of by whoever waits for it.
    const chain = chains.at(-1) ?? seed;
    return { ref, chain, ids, messages: messages + all.length, state, news, remembered };
  }
}
