import { randomUUID } from 'node:crypto';
import type { Append } from '../../log/appends/append.js';
import { EventId } from '../../log/event-id.js';
import type { EventLog } from '../../log/event-log.js';
import { LINK_TYPE } from '../../log/projections/links-of.js';
import { deliveryOf } from '../../streams/reads/delivery.js';
import { type GroupDefinition, parkedStreamOf } from '../definition/group-definition.js';
import { type Message, newMessage } from '../delivery/message.js';
import { truncation } from './truncation.js';

/**
 * The parked messages of a group, and their replay.
 *
 * EventStoreDB truncates the parked stream when a replay begins, so that a crash loses undelivered events. Here it is
 * truncated after all replayed events are finished: until then a crash leaves them parked.
 */
export class ParkedMessages {
  readonly #stream: string;
  /** The first revision not yet read for a replay. */
  #next: number;
  /** The end of the replay, exclusive. */
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

  /** The number of parked messages outside the replay. */
  get count(): number {
    return Math.max(0, this.#end - Math.max(this.#stop, this.#firstLeft));
  }

  get replaying(): boolean {
    return this.#next < this.#stop || this.#unfinished.size > 0;
  }

  /** @throws {AppError} if the write fails. */
  async park(message: Message, reason: string): Promise<void> {
    await this.log.append(parkedLink(this.#stream, message, reason));
  }

  /** Requests a replay of the messages parked now, before the revision `stopAt` of the parked stream. */
  replay(stopAt: number | undefined): void {
    this.#stop = Math.max(this.#stop, Math.min(stopAt ?? this.#end, this.#end));
  }

  /** Returns the next messages of the replay, at most `limit`; none if the replay is over. */
  readReplayed(limit: number): Message[] {
    const { reader } = this.log;
    const messages: Message[] = [];
    const count = Math.min(limit, this.#stop - this.#next);
    if (count <= 0) return messages;
    const links = reader.readStream(this.#stream, { from: this.#next, backwards: false, limit: count });
    for (const link of links.filter(({ revision }) => revision < this.#stop)) {
      this.#next = link.revision + 1;
      const delivery = deliveryOf(reader, { resolveLinks: true }, link);
      // The target of the link no longer exists: nothing to replay.
      if (!delivery.event) continue;
      this.#unfinished.add(link.revision);
      messages.push(newMessage({ kind: 'parked', revision: link.revision }, link, delivery));
    }
    if (messages.length === 0 && links.length === 0) this.#next = this.#stop;
    this.#truncateWhatIsFinished();
    return messages;
  }

  /** Records that a replayed message was finished or parked again. */
  finished(revision: number): void {
    this.#unfinished.delete(revision);
    this.#truncateWhatIsFinished();
  }

  /** The revision of the next parked message. */
  get #end(): number {
    return (this.log.reader.head(this.#stream)?.last ?? -1) + 1;
  }

  /** The first revision that is neither replayed nor truncated. */
  get #firstLeft(): number {
    return this.log.reader.metadataOf(this.#stream).truncateBefore ?? 0;
  }

  #truncateWhatIsFinished(): void {
    if (this.#unfinished.size > 0 || this.#next <= this.#truncated) return;
    const before = this.#truncated;
    this.#truncated = this.#next;
    this.log.append(truncation(this.#stream, this.#next)).catch(() => {
      this.#truncated = Math.min(this.#truncated, before); // On a full disk the next call retries.
    });
  }
}

/**
 * Returns the append that parks a message: a link to the event, or the target of an unresolved link. `reason`: for
 * operators.
 */
const parkedLink = (parkedStream: string, { original, delivery }: Message, reason: string): Append => ({
  stream: parkedStream,
  expected: { kind: 'any' },
  events: [
    {
      id: EventId(randomUUID()),
      type: LINK_TYPE,
      contentType: 'application/octet-stream',
      data: delivery.event
        ? Buffer.from(`${delivery.event.revision}@${delivery.event.stream}`)
        : original.data,
      metadata: Buffer.from(
        JSON.stringify({
          added: new Date().toISOString(),
          reason,
          // EventStoreDB omits zeros.
          ...(original.revision !== 0 && { subscriptionEventNumber: original.revision }),
        }),
      ),
    },
  ],
});
