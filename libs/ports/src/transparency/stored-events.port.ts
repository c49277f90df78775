import type { LogPosition, StreamName } from '@app/kernel';
import type { SealedEvent } from '@app/proof';

/** An event as it is stored, with sealed content. */
export type RecordInStream = SealedEvent & { readonly stream: StreamName };
/** The same with its place in the log. */
export type StoredRecord = RecordInStream & { readonly position: LogPosition };

/** Content in clear as it was encrypted. */
export type OpenedContent = {
  /** ID of its key, or IDs with `~` between them. */
  readonly key: string;
  /** Salt of the digests of all content of that key, base64. */
  readonly salt: string;
  readonly text: string;
};

/** A stored event, or the position behind events that are not of ours. */
export type StoredItem =
  | { readonly kind: 'stored'; readonly record: StoredRecord }
  | { readonly kind: 'checkpoint'; readonly position: LogPosition }
  | { readonly kind: 'caught-up' };

/**
 * The log as it is stored: nothing is decrypted, restored from blobs, checked against a schema or brought up to date.
 *
 * @throws {AppError} `event-store-unavailable`.
 */
export interface StoredEvents {
  /** All events of ours after a position in the order of the log, then live, until `signal` aborts. */
  follow(after: LogPosition | 'start', signal: AbortSignal): AsyncIterable<StoredItem>;
  /** Events of a stream in order; nothing for a missing stream. */
  read(stream: StreamName): AsyncIterable<RecordInStream>;
  /** Returns the revision of a stream's newest event; `undefined` for a missing stream. */
  newest(stream: StreamName): Promise<number | undefined>;
  /** Returns the sealed contents of an event as they are stored. @throws {AppError} like the blobs. */
  sealedTexts(record: RecordInStream): Promise<readonly string[]>;
  /**
   * Returns one of them in clear; `undefined` if a key was destroyed.
   *
   * @throws {AppError} `content-key-missing` if there never was one; `corrupt-event` if the content was changed or moved; like the keys.
   */
  openedContent(record: RecordInStream, sealed: string): Promise<OpenedContent | undefined>;
  /** Returns a text that an event claims, by its digest. @throws {AppError} like the blobs. */
  claimedText(digest: string): Promise<string>;
}
