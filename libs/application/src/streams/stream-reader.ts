import type { SessionEventType } from '@app/domain';
import type { LogPosition, SessionId, TenantId } from '@app/kernel';
import type { LogScope } from '@app/ports';
import type { LogPages } from './log-pages.js';
import type { Streamed } from './streamed-event.js';
import { isAfter, type TenantChannel } from './tenant-channel.js';

/** What a reader wants of its tenant's events: those of any of the sessions and any of the types; all where none is named. */
export type StreamFilter = {
  readonly tenant: TenantId;
  readonly sessions: readonly SessionId[];
  readonly types: readonly SessionEventType[];
  /** Whether it goes on live; otherwise it ends where the log ended when it began. */
  readonly follow: boolean;
};

/** Why a reader is told to come again; `gone` is one that left by itself. */
export type StreamEnd = 'end-reached' | 'too-slow' | 'closing' | 'log-unavailable' | 'key-ended' | 'gone';

type ReaderParts = {
  readonly pages: LogPages;
  readonly channel: TenantChannel;
  /** Where the log ended when the reader was opened. */
  readonly head: LogPosition | 'start';
  /** How far the hub has read. */
  readonly hubPosition: () => LogPosition | 'start';
  readonly onError: (error: unknown) => void;
  readonly onClose: () => void;
};

/**
 * One reader of one tenant's events: from the log as long as it is behind what the channel holds, and from the channel
 * after that. Both are in the order of the log, and it passes over what stands at or before its place: nothing is left
 * out between the two, and nothing comes twice.
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

  /** Everything at or before it has been handed out, or is not what it wants: the place to resume from. */
  get position(): LogPosition | 'start' {
    return this.place;
  }

  /** Why it ended; `undefined` until then. */
  get reason(): StreamEnd | undefined {
    return this.#reason;
  }

  /** Aborts when it ends. */
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

  /** To be taken by one consumer, once. Ends with the reader; `reason` says why. */
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

  /** Page by page, until the channel has what comes next. A page in hand is handed out before that is asked again. */
  async *#fromLog(): AsyncGenerator<Streamed> {
    const { pages, head } = this.parts;
    const scope = scopeOf(this.filter);
    do {
      const { events, reached } = await pages.after(scope, this.place, this.ended);
      for (const event of events) {
        if (this.#reason !== undefined) return;
        // Of what is not this tenant's the log tells nothing but that the end is reached: of the end as it was before.
        if (this.#isBeyondEnd(event.position)) return this.#moveTo(head);
        if (this.#takes(event)) yield event;
      }
      this.#moveTo(this.#isBeyondEnd(reached) ? head : reached);
    } while (!this.#isThere());
  }

  #isBeyondEnd(position: LogPosition | 'start'): boolean {
    return !this.filter.follow && isAfter(position, this.parts.head);
  }

  /** Whether the log itself need not be read any further. */
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

  /** From here on the channel has everything; not so where it holds too little. */
  #attach(): boolean {
    const number = this.parts.channel.numberAfter(this.place);
    if (number === undefined) return false;
    this.#next = number;
    return true;
  }

  /** Moves to an event; whether it is news, and wanted. */
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
