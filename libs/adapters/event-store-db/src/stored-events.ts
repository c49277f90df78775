import { isJsonObject, type JsonObject, LogPosition, type StreamName } from '@app/kernel';
import type { OpenedContent, RecordInStream, StoredEvents, StoredItem } from '@app/ports';
import { contentSalt, hexOfDigest, sealedOf } from '@app/proof';
import {
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  type ResolvedEvent,
  START,
  StreamNotFoundError,
} from '@eventstore/db-client';
import type { Stores } from './codec/codec.js';
import { openedText } from './codec/content/seal-content.js';
import { portError } from './errors.js';
import { Feed } from './reads/feed.js';
import { subscribed } from './reads/subscribed.js';
import { ALL } from './subscriptions.js';
import type { LogRecord } from './wire/read-answer.js';

export class EventStoreDbStoredEvents implements StoredEvents {
  constructor(
    private readonly client: EventStoreDBClient,
    private readonly stores: Stores,
  ) {}

  async *follow(after: LogPosition | 'start', signal: AbortSignal): AsyncIterable<StoredItem> {
    for await (const batch of subscribed(this.client, ALL, after, signal))
      for (const next of batch) {
        if (signal.aborted) return;
        if ('mark' in next) yield next.mark;
        else {
          const position = LogPosition(next.item.position.commit);
          yield { kind: 'stored', record: { ...recordOf(next.item), position } };
        }
      }
  }

  async *read(stream: StreamName): AsyncIterable<RecordInStream> {
    yield* this.#read(stream, { direction: FORWARDS, fromRevision: START });
  }

  async newest(stream: StreamName): Promise<number | undefined> {
    let revision: number | undefined;
    for await (const record of this.#read(stream, { direction: BACKWARDS, fromRevision: END, maxCount: 1 }))
      revision = record.revision;
    return revision;
  }

  async sealedTexts(record: RecordInStream): Promise<readonly string[]> {
    return Promise.all(
      sealedOf(record).map(({ text, digest }) => text ?? this.claimedText(hexOfDigest(digest))),
    );
  }

  async openedContent(record: RecordInStream, sealed: string): Promise<OpenedContent | undefined> {
    const opened = await openedText(sealed, record, this.stores.keys);
    if ('erased' in opened) return undefined;
    return { key: opened.key.id, salt: contentSalt(opened.key.bytes), text: opened.text };
  }

  async claimedText(digest: string): Promise<string> {
    return Buffer.from(await this.stores.blobs.get(digest)).toString('utf8');
  }

  async *#read(
    stream: StreamName,
    options: NonNullable<Parameters<EventStoreDBClient['readStream']>[1]>,
  ): AsyncIterable<RecordInStream> {
    const events = this.client.readStream(stream, options);
    const feed = new Feed<ResolvedEvent>(events, () => events.cancel());
    try {
      for await (const { event } of feed.items()) if (event) yield recordOf(event);
    } catch (error) {
      if (!(error instanceof StreamNotFoundError)) throw portError(error);
    }
  }
}

const recordOf = ({ id, streamId, revision, type, data, metadata }: Omit<LogRecord, 'position'>) => ({
  id,
  // Streams of ours alone are read.
  stream: streamId as StreamName,
  revision: Number(revision),
  type,
  data: objectOf(data),
  metadata: objectOf(metadata),
});

/** Bytes that are no JSON object, which no version of ours has written, are part of the record all the same. */
const objectOf = (value: unknown): JsonObject => {
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('base64') };
  return isJsonObject(value) ? value : { value: JSON.stringify(value) ?? null };
};
