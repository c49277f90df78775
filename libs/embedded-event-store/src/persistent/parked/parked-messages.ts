import type { EventLog } from '../../log/event-log.js';
import { deliveryOf } from '../../streams/reads/delivery.js';
import { type GroupDefinition, parkedStreamOf } from '../definition/group-definition.js';
import { type Message, newMessage } from '../delivery/message.js';
import { parkedLink } from './parked-link.js';
import { truncation } from './truncation.js';

/**
 * What a group has parked, and its replay.
 *
 * EventStoreDB truncates the parked stream when a replay begins, so that a crash loses what was not delivered yet.
 * Here it is truncated when all that was replayed is finished: until then a crash leaves it parked.
 */
export class ParkedMessages {
  readonly #stream: string;
  /** The first revision that was not read for a replay. */
  #next: number;
  /** Where the replay ends, exclusive. */
  #stop: number;
  readonly #unfinished = new Set<number>();
  #truncated: number;

  constructor(
    private readonly log: EventLog,
    definition: GroupDefinition,
  ) {
    this.#stream = parkedStreamOf(definition);
    this.#truncated = this.#firstLeft;
    this.#next = this.#truncated;
    this.#stop = this.#truncated;
  }

  /** How many messages are parked that nobody has asked to be replayed. */
  get count(): number {
    return Math.max(0, this.#end - Math.max(this.#stop, this.#firstLeft));
  }

  get replaying(): boolean {
    return this.#next < this.#stop || this.#unfinished.size > 0;
  }

  /** @throws {AppError} where it could not be written. */
  async park(message: Message, reason: string): Promise<void> {
    await this.log.append(parkedLink(this.#stream, message, reason));
  }

  /** Asks for a replay of what is parked now, up to `stopAt`, a revision of the parked stream, exclusive. */
  replay(stopAt: number | undefined): void {
    this.#stop = Math.max(this.#stop, Math.min(stopAt ?? this.#end, this.#end));
  }

  /** The next messages of the replay, at most `limit`; none where there is none, or it is over. */
  readReplayed(limit: number): Message[] {
    const { reader } = this.log;
    const messages: Message[] = [];
    const count = Math.min(limit, this.#stop - this.#next);
    if (count <= 0) return messages;
    const links = reader.readStream(this.#stream, { from: this.#next, backwards: false, limit: count });
    for (const link of links.filter(({ revision }) => revision < this.#stop)) {
      this.#next = link.revision + 1;
      const delivery = deliveryOf(reader, { resolveLinks: true }, link);
      // What the link points at is gone: there is nothing to replay.
      if (!delivery.event) continue;
      this.#unfinished.add(link.revision);
      messages.push(newMessage({ kind: 'parked', revision: link.revision }, link, delivery));
    }
    if (messages.length === 0 && links.length === 0) this.#next = this.#stop;
    this.#truncateWhatIsFinished();
    return messages;
  }

  /** A replayed message is done, or parked once more. */
  finished(revision: number): void {
    this.#unfinished.delete(revision);
    this.#truncateWhatIsFinished();
  }

  /** The first revision that nobody has parked anything at. */
  get #end(): number {
    return (this.log.reader.head(this.#stream)?.last ?? -1) + 1;
  }

  /** The first revision that was not replayed, or else hidden by somebody. */
  get #firstLeft(): number {
    return this.log.reader.metadataOf(this.#stream).truncateBefore ?? 0;
  }

  #truncateWhatIsFinished(): void {
    if (this.#unfinished.size > 0 || this.#next <= this.#truncated) return;
    const before = this.#truncated;
    this.#truncated = this.#next;
    this.log.append(truncation(this.#stream, this.#next)).catch(() => {
      this.#truncated = Math.min(this.#truncated, before); // A full disk: the next one tries again.
    });
  }
}
