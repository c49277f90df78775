import type { SessionEvent } from '@app/domain';
import { Revision } from '@app/kernel';
import type { EventLog } from '@app/ports';
import { type SessionRef, streamOf } from '../../sessions/session-ref.js';
import type { Executed } from '../../sessions/session-store.js';

/** Sums the counted tokens of all messages of a session as it grows, so that long sessions are not read again. */
export class Tally {
  tokens = 0;
  private next = 0;

  constructor(
    private readonly ref: SessionRef,
    private readonly log: EventLog,
  ) {}

  /** Adds the recorded events, and events that other writers have recorded before them. */
  async take({ events, revision }: Pick<Executed, 'events' | 'revision'>): Promise<void> {
    const end = revision === undefined ? 0 : revision + 1;
    const ownFrom = end - events.length;
    if (ownFrom > this.next) await this.read(ownFrom);
    for (const event of events) this.add(event);
    this.next = Math.max(this.next, end);
  }

  private async read(end: number): Promise<void> {
    const range = { from: Revision(this.next), limit: end - this.next };
    for await (const { event } of this.log.readForwards(streamOf(this.ref), range)) this.add(event);
  }

  private add(event: SessionEvent): void {
    if (event.type === 'MessageAppended') this.tokens += event.data.tokens;
  }
}
