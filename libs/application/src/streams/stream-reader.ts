import type { SessionEventType } from '@app/domain';
import type { LogPosition, SessionId, TenantId } from '@app/kernel';
import type { LogScope } from '@app/ports';
import type { LogPages } from './log-pages.js';
import type { Streamed } from './streamed-event.js';
import { isAfter, type TenantChannel } from './tenant-channel.js';

/** Filter of a tenant's events: any of the sessions and any of the types; an empty list matches all. */
export type StreamFilter = {
  readonly tenant: TenantId;
  readonly sessions: readonly SessionId[];
  readonly types: readonly SessionEventType[];
  /** Whether it continues live; otherwise it ends at the end of the log at the time of opening. */
  readonly follow: boolean;
};

/** Reason for the end of a stream; `gone` means that the client has disconnected. */
export type StreamEnd = 'end-reached' | 'too-slow' | 'closing' | 'log-unavailable' | 'key-ended' | 'gone';

type ReaderParts = {
  readonly pages: LogPages;
  readonly channel: TenantChannel;
  /** End of the log when the reader was opened. */
  readonly head: LogPosition | 'start';
  /** Position of the hub. */
  readonly hubPosition: () => LogPosition | 'start';
  readonly onError: (error: unknown) => void;
  readonly onClose: () => void;
};

/**
 * A reader of one tenant's events: from the log while it is behind the channel's buffer, then from the channel. Both are in log
 * order, and events at or before its position are skipped, so that none is lost or repeated.
 */
export class StreamReader {
  readonly #end = new AbortController();
  #reason: StreamEnd | undefined;
  #next = Number.POSITIVE_INFINITY;
  #wake: () => void = () => {};

  constructor(
    private readonly filter: StreamFilter,
    private place: LogPosition | 'start',
    private readonly parts: ReaderParts,
  ) {
    parts.channel.add(this);
  }

  /** Position to resume from: all matching events up to it have been returned. */
  get position(): LogPosition | 'start' {
    return this.place;
  }

  /** Reason for the end; `undefined` while open. */
  get reason(): StreamEnd | undefined {
    return this.#reason;
  }

  /** Aborts when the reader ends. */
  get ended(): AbortSignal {
    return this.#end.signal;
  }

  get next(): number {
    return this.#next;
  }

  wake(): void {
    this.#wake();
  }

  overtaken(): void {
    this.end('too-slow');
  }

  end(reason: StreamEnd): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.parts.channel.remove(this);
    this.parts.onClose();
    this.#end.abort();
    this.#wake();
  }

  /** Yields the events to a single consumer. Ends with the reader; `reason` gives the cause. */
  async *events(): AsyncGenerator<Streamed> {
    try {
      if (!this.#isThere()) yield* this.#fromLog();
      if (this.filter.follow) yield* this.#fromChannel();
      else this.end('end-reached');
    } catch (error) {
      if (this.#reason === undefined) this.parts.onError(error);
      this.end('log-unavailable');
    } finally {
      this.end('gone');
    }
  }

  /** Reads pages from the log until the channel has the next event; a page is finished before the channel is checked again. */
  async *#fromLog(): AsyncGenerator<Streamed> {
    const { pages, head } = this.parts;
    const scope = scopeOf(this.filter);
    do {
      const { events, reached } = await pages.after(scope, this.place, this.ended);
      for (const event of events) {
        if (this.#reason !== undefined) return;
        // The log reveals nothing about other tenants except that its end at the time of opening is reached.
        if (this.#isBeyondEnd(event.position)) return this.#moveTo(head);
        if (this.#takes(event)) yield event;
      }
      this.#moveTo(this.#isBeyondEnd(reached) ? head : reached);
    } while (!this.#isThere());
  }

  #isBeyondEnd(position: LogPosition | 'start'): boolean {
    return !this.filter.follow && isAfter(position, this.parts.head);
  }

  /** Whether the rest of the log need not be read. */
  #isThere(): boolean {
    return this.filter.follow ? this.#attach() : !isAfter(this.parts.head, this.place);
  }

  async *#fromChannel(): AsyncGenerator<Streamed> {
    const { channel, hubPosition } = this.parts;
    while (this.#reason === undefined) {
      const event = channel.at(this.#next);
      if (event) {
        this.#next += 1;
        if (this.#takes(event)) yield event;
      } else {
        this.#moveTo(hubPosition());
        await new Promise<void>((wake) => {
          this.#wake = wake;
        });
      }
    }
  }

  /** Switches to the channel if it has all following events. */
  #attach(): boolean {
    const number = this.parts.channel.numberAfter(this.place);
    if (number === undefined) return false;
    this.#next = number;
    return true;
  }

  /** Advances to an event; returns whether it is new and matches the filter. */
  #takes({ position, session, type }: Streamed): boolean {
    if (!isAfter(position, this.place)) return false;
    this.place = position;
    const { sessions, types } = this.filter;
    return (
      (sessions.length === 0 || sessions.includes(session)) &&
      (types.length === 0 || types.some((one) => one === type))
    );
  }

  #moveTo(position: LogPosition | 'start'): void {
    if (isAfter(position, this.place)) this.place = position;
  }
}

const scopeOf = ({ tenant, sessions }: StreamFilter): LogScope => {
  const [only] = sessions;
  return sessions.length === 1 && only !== undefined ? { tenant, session: only } : { tenant };
};
