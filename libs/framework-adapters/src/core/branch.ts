import {
  type AppendAndComposeRequest,
  hasCode,
  type Message,
  type PalimpsestClient,
  type ReportedUsage,
} from '@palimpsest/client';
import { chainOf } from './identity.js';
import { isDecision } from './outage.js';

/** Limits of one append: the service takes 1,000 messages and 16 MiB. */
const MESSAGES_MAX = 500;
const CHARACTERS_MAX = 2_000_000;

/** A message that the service does not have yet, or a bill that follows its answer. */
type Pending = {
  readonly addedAt?: Date;
  readonly message?: Message;
  readonly usage?: ReportedUsage;
  readonly stopReason?: string;
};

export type BranchParts = {
  readonly client: PalimpsestClient;
  /** The session of the first branch. Other branches derive their name from it. */
  readonly root: string;
  /** Opens a session without messages. */
  readonly open: (session: string) => Promise<void>;
};
/** The session in which the first `count` messages of a history are. */
type Origin = { readonly session: string; readonly count: number };

/** One history of an agent and the session that mirrors it. */
export class Branch {
  /** IDs of all messages, oldest first. */
  readonly ids: string[] = [];
  private readonly pending: Pending[] = [];
  private isOpen = false;
  private name: string;
  private origin: Origin | undefined;

  constructor(private readonly parts: BranchParts) {
    this.name = parts.root;
  }

  get session(): string {
    return this.name;
  }

  /** Number of messages and bills that the service does not have yet. */
  get missing(): number {
    return this.pending.length;
  }

  /** Adds messages to the history, which the next {@link drain} sends. */
  add(messages: readonly Message[], bill: Omit<Pending, 'message'> = {}): void {
    if (messages.length === 0 && bill.usage) this.pending.push({ usage: bill.usage });
    const ids = chainOf(messages, this.ids);
    for (const [at, message] of messages.entries()) {
      const id = ids[at];
      if (id === undefined) continue;
      this.ids.push(id);
      this.pending.push({
        addedAt: new Date(),
        message: { ...message, id },
        ...(at === messages.length - 1 && bill),
      });
    }
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
    branch.add(rest);
    branch.moveTo({ session: this.session, count });
    return branch;
  }

  /** Sends all messages that the service does not have, in order. Repeated after a failure, it continues where that stopped. */
  async drain(): Promise<void> {
    await this.drainTo(0);
  }

  /** Sends all messages like {@link drain}, except the ones that one append takes: these go to `send`, none at all included. */
  async drainWith<Answer>(send: (last: Conversation) => Promise<Answer>): Promise<Answer> {
    await this.drainTo(1);
    const batch = batchOf(this.pending);
    try {
      const answer = await send(conversationOf(batch));
      this.pending.splice(0, batch.length);
      return answer;
    } catch (error) {
      // Decisions follow the append.
      if (isDecision(error)) this.pending.splice(0, batch.length);
      throw error;
    }
  }

  /** Sends messages until the last `kept` appends are left. */
  private async drainTo(kept: 0 | 1): Promise<void> {
    if (!this.isOpen) await this.begin();
    const { sessions } = this.parts.client;
    while (this.pending.length > 0) {
      const batch = batchOf(this.pending);
      const { messages, usage, ...end } = conversationOf(batch);
      if (messages.length > 0 && kept === 1 && batch.length === this.pending.length) return;
      if (messages.length === 0 && usage) await sessions.reportUsage(this.session, usage);
      else await sessions.append(this.session, { messages, ...(usage && { usage }), ...end });
      this.pending.splice(0, batch.length);
    }
  }

  /** Creates the session, or finds the part of this history that it has from an earlier process. */
  private async begin(): Promise<void> {
    while (!this.isOpen) {
      await this.create();
      const { client } = this.parts;
      const { messages } = await client.sessions.get(this.session);
      // A fork begins with the messages of its origin.
      const least = this.origin?.count ?? 0;
      const known = messages === 0 ? 0 : await knownOf(client, this.session, this.ids, least);
      if (await endsAfter(client, this.session, known, messages)) {
        this.sent(known);
        this.isOpen = true;
      } else this.moveTo({ session: this.session, count: known });
    }
  }

  /** Creates the session unless it exists. */
  private async create(): Promise<void> {
    const { client, open } = this.parts;
    try {
      if (this.origin && this.origin.count > 0) {
        const { session, count } = this.origin;
        const at = await revisionOf(client, session, this.ids[count - 1] ?? '');
        await client.sessions.fork(session, { as: this.session, at });
      } else await open(this.session);
    } catch (error) {
      if (!hasCode(error, 'session-already-open')) throw error;
    }
  }

  /** Names the session after the first message that the origin lacks, so that every process finds it again. */
  private moveTo(origin: Origin): void {
    this.origin = origin;
    const first = this.ids[origin.count] ?? this.ids.at(-1) ?? '';
    this.name = `${this.parts.root}.${first}`;
  }

  /** Notes that the service has the first `count` messages. */
  private sent(count: number): void {
    let before = this.ids.length - this.pending.filter(({ message }) => message).length;
    for (; before < count; before += 1) this.pending.splice(0, 1);
  }
}

/** Returns how many leading messages a session has. An ID commits to all messages before it, so a search by halves suffices. */
const knownOf = async (
  client: PalimpsestClient,
  session: string,
  ids: readonly string[],
  least: number,
): Promise<number> => {
  let [known, unknown] = [least, ids.length + 1];
  for (let middle = ids.length; unknown - known > 1; middle = Math.floor((known + unknown) / 2)) {
    const { status } = await client.sessions.provenance(session, ids[middle - 1] ?? '');
    if (status === 'unknown') unknown = middle;
    else known = middle;
  }
  return known;
};

/** Whether the session holds no message behind the first `count`, other than messages of the service. */
const endsAfter = async (
  client: PalimpsestClient,
  session: string,
  count: number,
  messages: number,
): Promise<boolean> => {
  if (messages <= count) return true;
  let own = 0;
  for await (const { synthetic } of client.sessions.export(session)) own += synthetic === undefined ? 1 : 0;
  return own <= count;
};

const revisionOf = async (client: PalimpsestClient, session: string, message: string): Promise<number> => {
  const place = await client.sessions.provenance(session, message);
  return 'appendedAt' in place ? place.appendedAt : place.revision;
};

/** Messages of one append with the bill of their answer. */
type Conversation = Pick<AppendAndComposeRequest, 'usage' | 'stopReason'> & {
  readonly messages: NonNullable<AppendAndComposeRequest['messages']>;
};

const conversationOf = (batch: readonly Pending[]): Conversation => {
  const usage = batch.find((one) => one.usage)?.usage;
  const stopReason = batch.at(-1)?.stopReason;
  return {
    messages: batch.flatMap(({ message }) => message ?? []),
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
