import type { Steps } from '../../steps.js';
import type { Put } from '../../storage/engine.js';
import { idKey, numberKey, streamKey } from '../keys.js';
import type { LogReader } from '../log-reader.js';
import { deletion, reopening, tombstone } from '../metadata/metadata-events.js';
import type { LinksOf } from '../projections/links-of.js';
import { encodeRecord, type ProposedEvent, StoredEvent, TOMBSTONE_REVISION } from '../record.js';
import { describedBy, encodeHead, isMetadataStream, metadataStreamOf } from '../stream-head.js';
import type { Append, AppendOutcome, Deletion } from './append.js';
import { decideAppend } from './decide-append.js';
import { DraftedStreams } from './drafted-streams.js';

/**
 * A transaction under construction. Decides each append against the log and the appends that it has accepted before.
 * Readers see none of it until the transaction is committed as a whole.
 */
export class Draft {
  readonly #puts: Put[] = [];
  readonly #streams: DraftedStreams;
  readonly #unprojected: StoredEvent[] = [];
  #next: number;
  #bytes = 0;

  /** `next`: the first free position. */
  constructor(
    log: LogReader,
    getRevision: (key: Buffer) => Buffer | undefined,
    next: number,
    private readonly now: Date,
  ) {
    this.#streams = new DraftedStreams(log, getRevision);
    this.#next = next;
  }

  get next(): number {
    return this.#next;
  }
  get bytes(): number {
    return this.#bytes;
  }
  /** The streams with new events. */
  get touchedStreams(): ReadonlySet<string> {
    return new Set(this.#streams.touched.keys());
  }
  /** All entries to write. */
  get puts(): readonly Put[] {
    const heads = [...this.#streams.touched].map(
      ([stream, head]): Put => ({ table: 'heads', key: streamKey(stream), value: encodeHead(head) }),
    );
    return [...this.#puts, ...heads];
  }

  /** Decides `append` and adds its events. The outcome is final once the draft is committed. */
  *append({ stream, expected, events, deadline }: Append): Steps<AppendOutcome> {
    if (deadline !== undefined && deadline <= this.now.getTime()) return { kind: 'timeout' };
    const last = this.#streams.head(stream)?.last;
    const ids = events.map(({ id }) => id);
    const decision = decideAppend(expected, ids, this.#streams.viewOf(stream));
    switch (decision.kind) {
      case 'conflict':
        return { kind: 'conflict', last };
      case 'deleted':
        return DELETED;
      case 'repeated':
        return {
          kind: 'appended',
          last: decision.last,
          position: this.#streams.positionOf(stream, decision.last),
        };
      case 'write':
        return yield* this.#append(stream, events, last);
    }
  }

  // biome-ignore lint/correctness/useYield: a deletion is one step.
  *delete({ stream, expected, isHardDelete }: Deletion): Steps<AppendOutcome> {
    const last = this.#streams.head(stream)?.last;
    const event = isHardDelete ? tombstone() : deletion();
    const view = this.#streams.viewOf(stream);
    const decision = decideAppend(expected, [event.id], view);
    if (decision.kind === 'deleted') return DELETED;
    if (decision.kind !== 'write') return { kind: 'conflict', last };
    // A stream without events can be hard-deleted, but not soft-deleted, as in EventStoreDB.
    if (!isHardDelete && (last ?? -1) < 0 && !view.hasMetadata()) return { kind: 'conflict', last };
    const written = isHardDelete
      ? this.#tombstone(stream, event)
      : this.#write(metadataStreamOf(stream), event);
    return { kind: 'appended', last, position: written.position };
  }

  /** Writes the links that `linksOf` returns for the events of this draft, and for those links in turn. */
  *project(linksOf: LinksOf): Steps<void> {
    // `link` adds to the list during the iteration.
    for (const event of this.#unprojected) {
      this.link(linksOf, event);
      yield;
    }
    this.#unprojected.length = 0;
  }

  /** Writes the links that `linksOf` returns for `event`. */
  link(linksOf: LinksOf, event: StoredEvent): void {
    for (const { stream, link } of linksOf(event)) {
      // A stream of links may have a tombstone: then it gets no more links.
      if (!this.#streams.isTombstoned(stream)) this.#appendLink(stream, link);
    }
  }

  #appendLink(stream: string, link: ProposedEvent): void {
    for (const _ of this.#append(stream, [link], this.#streams.head(stream)?.last));
  }

  *#append(stream: string, events: readonly ProposedEvent[], last: number | undefined): Steps<AppendOutcome> {
    const isDeleted = this.#streams.metadataOf(stream).isDeleted;
    const described = isMetadataStream(stream) ? describedBy(stream) : undefined;
    const describesDeleted =
      described !== undefined &&
      !this.#streams.isTombstoned(described) &&
      this.#streams.metadataOf(described).isDeleted;
    let written: StoredEvent | undefined;
    for (const event of events) {
      written = this.#write(stream, event);
      yield;
    }
    if (isDeleted) this.#reopen(stream, (last ?? -1) + 1);
    // Metadata for a soft-deleted stream reopens it, without its old events.
    if (described !== undefined && describesDeleted)
      this.#reopen(described, (this.#streams.head(described)?.last ?? -1) + 1);
    return { kind: 'appended', last: written?.revision ?? last, position: written?.position };
  }

  #reopen(stream: string, from: number): void {
    const metadata = this.#streams.lastOf(metadataStreamOf(stream));
    const event = metadata && reopening(metadata.data, from);
    if (event) this.#write(metadataStreamOf(stream), event);
  }

  #write(stream: string, proposed: ProposedEvent): StoredEvent {
    const revision = (this.#streams.head(stream)?.last ?? -1) + 1;
    const event = this.#record(stream, revision, proposed);
    const head = this.#streams.add(stream, event);
    this.#puts.push(
      { table: 'revisions', key: numberKey(head.number, revision), value: numberKey(event.position) },
      { table: 'ids', key: idKey(proposed.id, head.number), value: numberKey(revision) },
    );
    return event;
  }

  #tombstone(stream: string, proposed: ProposedEvent): StoredEvent {
    const event = this.#record(stream, TOMBSTONE_REVISION, proposed);
    this.#streams.tombstone(stream, event.position);
    return event;
  }

  #record(stream: string, revision: number, proposed: ProposedEvent): StoredEvent {
    const position = this.#next;
    const record = encodeRecord(proposed, { stream, revision, position, createdAt: this.now });
    this.#next += record.length;
    this.#bytes += record.length;
    const event = new StoredEvent(position, record);
    this.#unprojected.push(event);
    this.#puts.push({ table: 'log', key: numberKey(position), value: record });
    return event;
  }
}

const DELETED: AppendOutcome = { kind: 'deleted' };
