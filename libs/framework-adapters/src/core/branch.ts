import {
  type AppendAndComposeRequest,
  hasCode,
  type Message,
  type PalimpsestClient,
  type ReportedUsage,
} from '@palimpsest/client';
import { isSame, type MakeId, type Said, saidIn } from './identity.js';
import { isDecision } from './outage.js';

/** Limits of one append: the service takes 1,000 messages and 16 MiB. */
const MESSAGES_MAX = 500;
const CHARACTERS_MAX = 2_000_000;

/** A message that the service does not have yet, or a bill that follows its answer. */
type Pending = {
  readonly addedAt?: Date;
  readonly message?: Message;
  /** Place of the message in the history. */
  readonly place?: number;
  readonly usage?: ReportedUsage;
  readonly stopReason?: string;
};

export type BranchParts = {
  readonly client: PalimpsestClient;
  /** The session of the first branch. Others have its name and a number. */
  readonly root: string;
  /** Opens a session without messages. */
  readonly open: (session: string) => Promise<void>;
  readonly makeId: MakeId;
};
/** The session in which the first `count` messages of a history are, and the IDs of its messages. */
type Origin = { readonly from: Pick<Branch, 'session' | 'ids'>; readonly count: number };

/** One history of an agent and the session that mirrors it. */
export class Branch {
  /** IDs of all messages, oldest first: those of the session, and made ones after them. */
  readonly ids: string[] = [];
  /** The same messages, to be compared with. */
  readonly said: Said[] = [];
  private readonly pending: Pending[] = [];
  private isOpen = false;
  private number = 1;
  private origin: Origin | undefined;

  constructor(private readonly parts: BranchParts) {}

  get session(): string {
    const { root } = this.parts;
    return this.number === 1 ? root : `${root}.${this.number}`;
  }

  /** Number of messages and bills that the service does not have yet. */
  get missing(): number {
    return this.pending.length;
  }

  /** Adds messages to the history, which the next {@link drain} sends. */
  add(messages: readonly Message[], bill: Omit<Pending, 'message' | 'place'> = {}): void {
    if (messages.length === 0 && bill.usage) this.pending.push({ usage: bill.usage });
    for (const [at, message] of messages.entries()) {
      this.said.push(saidIn(message));
      this.pending.push({
        addedAt: new Date(),
        message,
        place: this.said.length - 1,
        ...(at === messages.length - 1 && bill),
      });
    }
    this.nameRest();
  }

  /** Makes the IDs that messages still lack. */
  private nameRest(): void {
    for (const said of this.said.slice(this.ids.length))
      this.ids.push(this.parts.makeId(this.ids.length, this.ids.at(-1) ?? '', said));
  }

  /** Lets the messages that the service missed have the time at which they were added. */
  keepTimes(): void {
    for (const [at, { addedAt, message, ...rest }] of this.pending.entries())
      if (addedAt && message)
        this.pending[at] = { ...rest, message: { ...message, createdAt: addedAt.toISOString() } };
  }

  /** Returns a branch for a history that has only the first `count` messages in common with this one. */
  leave(count: number, rest: readonly Message[]): Branch {
    const branch = new Branch(this.parts);
    branch.ids.push(...this.ids.slice(0, count));
    branch.said.push(...this.said.slice(0, count));
    branch.add(rest);
    branch.origin = { from: this, count };
    branch.number = this.number === 1 ? 2 : 1;
    return branch;
  }

  /** Sends all messages that the service does not have, in order. Repeated after a failure, it continues where that stopped. */
  async drain(): Promise<void> {
    await this.drainTo(0);
  }

  /** Sends all messages like {@link drain}, except the ones that one append takes: these go to `send`, none at all included. */
  async drainWith<Answer>(send: (last: Conversation) => Promise<Answer>): Promise<Answer> {
    await this.drainTo(1);
    return this.inOwnSession(async () => {
      const batch = batchOf(this.pending);
      try {
        const answer = await send(conversationOf(batch, this.ids));
        this.pending.splice(0, batch.length);
        return answer;
      } catch (error) {
        // Decisions follow the append.
        if (isDecision(error)) this.pending.splice(0, batch.length);
        throw error;
      }
    });
  }

  /** Sends messages until the last `kept` appends are left. */
  private async drainTo(kept: 0 | 1): Promise<void> {
    await this.inOwnSession(async () => {
      const { sessions } = this.parts.client;
      while (this.pending.length > 0) {
        const batch = batchOf(this.pending);
        const { messages, usage, ...rest } = conversationOf(batch, this.ids);
        if (messages.length > 0 && kept === 1 && batch.length === this.pending.length) return;
        if (messages.length === 0 && usage) await sessions.reportUsage(this.session, usage);
        else await sessions.append(this.session, { messages, ...(usage && { usage }), ...rest });
        this.pending.splice(0, batch.length);
      }
    });
  }

  /** Does work in the session of this history: in another one if another process has meanwhile continued that differently. */
  private async inOwnSession<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let left = ''; ; left = this.session) {
      if (!this.isOpen) await this.begin();
      try {
        return await work();
      } catch (error) {
        if (!hasCode(error, 'revision-mismatch') || this.session === left) throw error;
        this.isOpen = false;
      }
    }
  }

  /**
   * Creates the session, or finds the part of this history that it has from an earlier process. A session with another history is
   * passed over for the one with the next number, so that every process finds each history again.
   */
  private async begin(): Promise<void> {
    while (!this.isOpen) {
      const copied = await this.create();
      const { session } = this;
      const stored = await storedIn(this.parts.client, session);
      const places = placesOf(stored, this.own());
      const known = Math.max(copied, (places.at(-1) ?? -1) + 1);
      // A fork begins with the messages of its origin.
      const isOwn = known >= (this.origin?.count ?? 0);
      if (isOwn) this.adopt(stored, places, known);
      if (isOwn && places.length === stored.length) {
        this.sent(known);
        this.isOpen = true;
      } else {
        if (isOwn) this.origin = { from: { session, ids: [...this.ids] }, count: known };
        this.number += 1;
      }
    }
  }

  /** Creates the session unless it exists; returns how many of its messages are known as those of the origin. */
  private async create(): Promise<number> {
    const { client, open } = this.parts;
    try {
      const { from, count = 0 } = this.origin ?? {};
      const at = await revisionOf(client, from?.session ?? '', from?.ids[count - 1]);
      if (from && at !== undefined) {
        await client.sessions.fork(from.session, { as: this.session, at });
        return count;
      }
      // A fork lacks the messages behind a compaction; the sessions before it have them.
      this.origin = undefined;
      await open(this.session);
    } catch (error) {
      if (!hasCode(error, 'session-already-open')) throw error;
    }
    return 0;
  }

  /** Takes the IDs that the messages have in a session, which were made with another key. */
  private adopt(stored: readonly Stored[], places: readonly number[], known: number): void {
    if (places.every((place, at) => this.ids[place] === stored[at]?.id)) return;
    for (const [at, place] of places.entries()) this.ids[place] = stored[at]?.id ?? '';
    this.ids.length = known;
    this.nameRest();
  }

  private own(): readonly Own[] {
    return this.said.map((said, at) => ({ ...said, id: this.ids[at] ?? '' }));
  }

  /** Notes that the service has the first `count` messages. */
  private sent(count: number): void {
    let before = this.ids.length - this.pending.filter(({ message }) => message).length;
    for (; before < count; before += 1) this.pending.splice(0, 1);
  }
}

/** A message of a session, in the order of the session. */
type Stored = Said & { readonly id: string; readonly isErased: boolean };

/** Returns the messages of a session, without those that the service wrote. */
const storedIn = async (client: PalimpsestClient, session: string): Promise<readonly Stored[]> => {
  const stored: Stored[] = [];
  for await (const { id, synthetic, erased, ...message } of client.sessions.export(session))
    if (synthetic === undefined) stored.push({ ...saidIn(message), id, isErased: erased !== undefined });
  return stored;
};

type Own = Said & { readonly id: string };

/**
 * Returns the places in the history of leading messages of a session. A fork lacks the messages that a compaction had covered before:
 * equal IDs show that the histories before them are equal. Where the IDs differ, since they were made with another key, content tells;
 * of an erased message only the role is left, which counts for nothing unless a message that is known for sure follows.
 */
const placesOf = (stored: readonly Stored[], own: readonly Own[]): readonly number[] => {
  const byId = new Map(own.map(({ id }, place) => [id, place]));
  const places: number[] = [];
  for (const one of stored) {
    const next = (places.at(-1) ?? -1) + 1;
    const place = byId.get(one.id) ?? next;
    const message = own[place];
    if (place < next || !message || !couldBe(one, message)) break;
    places.push(place);
  }
  const isSure = (at: number): boolean =>
    stored[at]?.id === own[places[at] ?? -1]?.id || stored[at]?.isErased === false;
  while (places.length > 0 && !isSure(places.length - 1)) places.pop();
  return places;
};
const couldBe = (stored: Stored, own: Own): boolean =>
  stored.id === own.id || (stored.isErased ? stored.role === own.role : isSame(stored, own));

/** Returns the revision of a message; `undefined` if there is none or the session does not have it. */
const revisionOf = async (
  client: PalimpsestClient,
  session: string,
  message: string | undefined,
): Promise<number | undefined> => {
  if (message === undefined) return undefined;
  try {
    const place = await client.sessions.provenance(session, message);
    return 'appendedAt' in place ? place.appendedAt : place.revision;
  } catch (error) {
    if (hasCode(error, 'message-not-found')) return undefined;
    throw error;
  }
};

/** Messages of one append with the bill of their answer. */
type Conversation = Pick<AppendAndComposeRequest, 'after' | 'usage' | 'stopReason'> & {
  readonly messages: NonNullable<AppendAndComposeRequest['messages']>;
};

const conversationOf = (batch: readonly Pending[], ids: readonly string[]): Conversation => {
  const usage = batch.find((one) => one.usage)?.usage;
  const stopReason = batch.at(-1)?.stopReason;
  const first = batch.find(({ place }) => place !== undefined)?.place;
  return {
    messages: batch.flatMap(({ message, place }) => {
      const id = place === undefined ? undefined : ids[place];
      return message && id !== undefined ? { ...message, id } : [];
    }),
    after: ids[(first ?? ids.length) - 1] ?? null,
    ...(usage && { usage }),
    ...(stopReason !== undefined && { stopReason }),
  };
};

/**
 * Returns the messages of the next append. It has at most one bill, which belongs to its last answer, and ends where a turn
 * ends.
 */
export const batchOf = <Sent extends Pending>(pending: readonly Sent[]): readonly Sent[] => {
  let characters = 0;
  let count = 0;
  let isBilled = false;
  for (const { message, usage, stopReason } of pending.slice(0, MESSAGES_MAX)) {
    characters += message ? JSON.stringify(message.content).length : 0;
    if (count > 0 && (characters > CHARACTERS_MAX || !message)) break;
    if (isBilled && message?.role === 'assistant') break;
    count += 1;
    isBilled ||= usage !== undefined;
    // A bill without a message is reported apart.
    if (stopReason !== undefined || !message) break;
  }
  return pending.slice(0, count);
};
