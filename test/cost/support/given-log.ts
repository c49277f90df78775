import type { SessionEvent, TenantEvent } from '@app/domain';
import { Actor, IsoTime, Revision, type StreamName } from '@app/kernel';
import {
  ConflictError,
  type EventLog,
  type ExpectedRevision,
  type NewEvent,
  type Recorded,
  type StoredEvent,
} from '@app/ports';

type Range = { readonly from?: Revision; readonly limit?: number };

/** Initial records, which logs share and never change. */
export type Given<Evt extends StoredEvent> = ReadonlyMap<StreamName, readonly Recorded<Evt>[]>;

const AT = IsoTime('2026-01-01T00:00:00Z');

/** Returns the events of one stream as records. */
export const recordsOf = <Evt extends SessionEvent | TenantEvent>(
  stream: StreamName,
  events: readonly Evt[],
): readonly Recorded<Evt>[] =>
  events.map((event, at) => ({
    ...{ id: `e${at}`, stream, revision: Revision(at), recordedAt: AT, event },
    context: { actor: Actor('tester'), correlationId: 'c' },
  }));

/**
 * A log with initial records. Opening it is free and reading costs only the yielded events, so that measured times
 * belong to the code under test.
 */
export class GivenLog<Evt extends StoredEvent> implements EventLog<Evt> {
  private readonly added = new Map<StreamName, Recorded<Evt>[]>();

  constructor(private readonly given: Given<Evt>) {}

  async append(
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly NewEvent<Evt>[],
    context: Recorded<Evt>['context'],
  ): Promise<Revision> {
    const length = this.lengthOf(stream);
    const first = expected === 'any' ? length : expected === 'no-stream' ? 0 : expected + 1;
    if (first !== length) throw new ConflictError('another writer was faster');
    const added = this.added.get(stream) ?? [];
    this.added.set(stream, added);
    for (const [at, { id, event }] of events.entries())
      added.push({ id, stream, revision: Revision(first + at), recordedAt: AT, context, event });
    return Revision(first + events.length - 1);
  }

  async *readForwards(stream: StreamName, { from, limit }: Range = {}): AsyncGenerator<Recorded<Evt>> {
    const start: number = from ?? 0;
    const end = Math.min(this.lengthOf(stream), start + (limit ?? Number.POSITIVE_INFINITY));
    for (let at = start; at < end; at += 1) yield* this.at(stream, at);
  }

  async *readBackwards(stream: StreamName, { from, limit }: Range = {}): AsyncGenerator<Recorded<Evt>> {
    const end = Math.min(this.lengthOf(stream), (from ?? Number.POSITIVE_INFINITY) + 1);
    const start = Math.max(0, end - (limit ?? Number.POSITIVE_INFINITY));
    for (let at = end - 1; at >= start; at -= 1) yield* this.at(stream, at);
  }

  private lengthOf(stream: StreamName): number {
    return (this.given.get(stream)?.length ?? 0) + (this.added.get(stream)?.length ?? 0);
  }

  private at(stream: StreamName, revision: number): readonly Recorded<Evt>[] {
    const given = this.given.get(stream) ?? [];
    const found = given[revision] ?? this.added.get(stream)?.[revision - given.length];
    return found ? [found] : [];
  }
}
