import { randomUUID } from 'node:crypto';
import { type Json, parseJsonObject } from '@app/kernel';
import { EventId } from '../event-id.js';
import { DELETED_BEFORE, parseMetadata } from '../metadata/stream-metadata.js';
import { type ProposedEvent, type StoredEvent, TOMBSTONE_REVISION } from '../record.js';
import { describedBy, isMetadataStream } from '../stream-head.js';

/** A link, and the stream to write it to. */
type Linked = { readonly stream: string; readonly link: ProposedEvent };
/** Returns the links that a projection writes for an event. */
export type LinksOf = (event: StoredEvent) => readonly Linked[];

/** The type of a link event; its data is `revision@stream`. */
export const LINK_TYPE = '$>';
/** The type of a stream reference; its data is the stream's name. */
const STREAM_REFERENCE_TYPE = '$@';

/** As in EventStoreDB, skips events of streams that begin with `$`, except metadata of users' streams. */
export const ofUserStreams =
  (linksOf: LinksOf): LinksOf =>
  (event) => {
    const stream = isMetadataStream(event.stream) ? describedBy(event.stream) : event.stream;
    return stream.startsWith('$') ? [] : linksOf(event);
  };

/** `$ce-CATEGORY`: all events of the streams of a category. */
export const byCategory: LinksOf = (event) => {
  const deleted = deletedStreamOf(event);
  const subject = deleted ?? event.stream;
  const category = categoryOf(subject);
  if (category === undefined) return [];
  const marks = { $o: subject, ...(deleted !== undefined && { $deleted: -1 }) };
  return [linkTo(`$ce-${category}`, targetOf(event), event, marks)];
};

/** `$et-TYPE`: all events of a type; deletions of streams have the type `$deleted`. */
export const byEventType: LinksOf = (event) => {
  if (event.type === LINK_TYPE) return [];
  const deleted = deletedStreamOf(event);
  if (deleted === undefined) return [linkTo(`$et-${event.type}`, placeOf(event), event)];
  return [linkTo('$et-$deleted', placeOf(event, deleted), event, { $deleted: -1 })];
};

/** `$bc-ID`: all events with the `$correlationId` ID in their metadata. */
export const byCorrelationId: LinksOf = (event) => {
  const correlation = correlationOf(event);
  if (correlation === undefined) return [];
  const made = new Date(event.createdAt).toISOString();
  return [linkTo(`$bc-${correlation}`, targetOf(event), event, { $eventTimestamp: made })];
};

/** `$category-CATEGORY`: the names of the streams of a category. */
export const streamByCategory: LinksOf = (event) => {
  const category = event.revision === 0 ? categoryOf(event.stream) : undefined;
  if (category === undefined) return [];
  return [{ stream: `$category-${category}`, link: linkEvent(STREAM_REFERENCE_TYPE, event.stream, event) }];
};

/** `$streams`: the first event of every stream. */
export const streams: LinksOf = (event) =>
  event.revision === 0 ? [linkTo('$streams', placeOf(event), event)] : [];

/** Returns the text before the first dash; `undefined` for system streams. */
const categoryOf = (stream: string): string | undefined => {
  const dash = stream.startsWith('$') ? -1 : stream.indexOf('-');
  return dash > 0 ? stream.slice(0, dash) : undefined;
};

/** Returns the stream that `event` soft-deletes or deletes with a tombstone. */
const deletedStreamOf = (event: StoredEvent): string | undefined => {
  if (event.revision === TOMBSTONE_REVISION) return event.stream;
  if (!isMetadataStream(event.stream) || !parseMetadata(event).isDeleted) return undefined;
  return describedBy(event.stream);
};

export const correlationOf = (event: StoredEvent): string | undefined => {
  if (!event.metadata.includes('"$correlationId"')) return undefined;
  const correlation = parseJsonObject(event.metadata.toString('utf8'))?.$correlationId;
  return typeof correlation === 'string' ? correlation : undefined;
};

/** Resolves a link to a link to its target. */
const targetOf = (event: StoredEvent): string =>
  event.type === LINK_TYPE ? event.data.toString('utf8') : placeOf(event);
const placeOf = ({ revision, stream }: StoredEvent, named = stream): string =>
  `${revision === TOMBSTONE_REVISION ? DELETED_BEFORE : revision}@${named}`;

const linkTo = (
  stream: string,
  target: string,
  cause: StoredEvent,
  marks: Readonly<Record<string, Json>> = {},
): Linked => ({ stream, link: linkEvent(LINK_TYPE, target, cause, marks) });

const linkEvent = (
  type: string,
  data: string,
  cause: StoredEvent,
  marks: Readonly<Record<string, Json>> = {},
): ProposedEvent => ({
  id: EventId(randomUUID()),
  type,
  contentType: 'application/octet-stream',
  data: Buffer.from(data),
  metadata: Buffer.from(JSON.stringify({ ...marks, $causedBy: cause.id })),
});
