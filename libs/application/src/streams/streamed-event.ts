import type { SessionEvent, SessionEventType } from '@app/domain';
import type { JsonObject, LogPosition, SessionId } from '@app/kernel';
import { pick } from '@app/kernel';
import type { RecordedInLog, UnreadableEvent } from '@app/ports';

/** `none`: the facts of an event, as in its audit row, without text written by people and models. */
export type ContentLevel = 'none' | 'full';

/** An item of a stream; `name` is its event name there. */
export type Streamed = StreamedEvent | UnreadableNotice;

/** Replaces an event that this version cannot decode, so that readers notice it. */
export class UnreadableNotice {
  readonly name = 'event-unreadable';
  /** It has no text. */
  readonly weight = 0;

  constructor(
    private readonly unreadable: UnreadableEvent,
    readonly session: SessionId,
  ) {}

  get position(): LogPosition {
    return this.unreadable.position;
  }

  get type(): string {
    return this.unreadable.type;
  }

  json(_: ContentLevel): string {
    const { position, revision, type } = this.unreadable;
    return JSON.stringify({ position: String(position), session: this.session, revision, type });
  }
}

/** An event for subscribers: in a stream, and in the body of a webhook. */
export class StreamedEvent {
  #weight: number | undefined;

  constructor(
    private readonly recorded: RecordedInLog,
    readonly session: SessionId,
    private readonly factsOf: (event: SessionEvent) => JsonObject,
  ) {}

  get position(): LogPosition {
    return this.recorded.position;
  }

  get name(): string {
    return this.type;
  }

  get type(): SessionEventType {
    return this.recorded.event.type;
  }

  /** Approximate UTF-16 units of its text. */
  get weight(): number {
    this.#weight ??= weightOf(this.recorded.event.data);
    return this.#weight;
  }

  /** Serializes the event; not cached, which would double its memory. */
  json(content: ContentLevel): string {
    return JSON.stringify(envelopeOf(this.recorded, this.session, this.dataOf(content)));
  }

  private dataOf(content: ContentLevel): object {
    const { event } = this.recorded;
    return content === 'full' ? event.data : this.factsOf(event);
  }
}

/** Positions are strings, since they exceed the safe integers of JSON parsers. */
const envelopeOf = (
  { id, position, revision, recordedAt, context, event }: RecordedInLog,
  session: SessionId,
  data: object,
) => ({
  id,
  position: String(position),
  session,
  revision,
  type: event.type,
  recordedAt,
  ...pick(context, 'actor', 'correlationId', 'causationId'),
  data,
});

/** Estimates the UTF-16 units of a value's JSON without looking into strings, for memory limits. */
export const weightOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length + QUOTES;
  if (typeof value !== 'object' || value === null) return SCALAR;
  let weight = QUOTES;
  if (Array.isArray(value)) for (const item of value) weight += weightOf(item) + 1;
  else for (const [name, item] of Object.entries(value)) weight += name.length + weightOf(item) + FIELD;
  return weight;
};

/** Quotes of a string, or brackets of an array or object. */
const QUOTES = 2;
/** Quotes, a colon and a comma around a field's name. */
const FIELD = 4;
/** Numbers, booleans and `null`; most are short. */
const SCALAR = 4;
