import type { SessionEvent, SessionEventType } from '@app/domain';
import type { JsonObject, LogPosition, SessionId } from '@app/kernel';
import type { RecordedInLog, UnreadableEvent } from '@app/ports';
import { weightOf } from './weight-of.js';

/** `none`: the facts of an event as its audit row has them, without what people and models wrote. */
export type ContentLevel = 'none' | 'full';

/** What a stream hands out: `name` is what it is called there. */
export type Streamed = StreamedEvent | UnreadableNotice;

/** In the place of an event that this version cannot read: nobody is to believe that there was none. */
export class UnreadableNotice {
  readonly name = 'event-unreadable';
  /** Of its text: it has none. */
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

/** An event as every subscriber gets it: over a stream, and in the body of a webhook. */
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

  /** UTF-16 units of its text, nearly. */
  get weight(): number {
    this.#weight ??= weightOf(this.recorded.event.data);
    return this.#weight;
  }

  /** Made anew each time: held, it would double what the event takes. */
  json(content: ContentLevel): string {
    return JSON.stringify(envelopeOf(this.recorded, this.session, this.dataOf(content)));
  }

  private dataOf(content: ContentLevel): object {
    const { event } = this.recorded;
    return content === 'full' ? event.data : this.factsOf(event);
  }
}

/** Positions are text: they outgrow what JSON's readers take for whole numbers. */
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
  actor: context.actor,
  correlationId: context.correlationId,
  ...(context.causationId !== undefined && { causationId: context.causationId }),
  data,
});
