import {
  Actor,
  AppError,
  IsoTime,
  isJsonObject,
  type JsonObject,
  type StreamName,
  sessionOf,
  Tokens,
  tenantOf,
} from '@app/kernel';
import type { BlobStore, ContentKeys, EventContext, NewEvent, StoredEvent } from '@app/ports';
import { z } from 'zod';
import type { Encoded } from '../wire/appends.js';
import { lighten, measured, restore } from './claim-check.js';
import { openContent, openPartOf, sealContent } from './content/seal-content.js';
import type { ParseEvent } from './schema.js';

/** Raised when a type changes its shape; older ones are then brought up to date here, on read. */
const SCHEMA_VERSION = 1;

/** Turns an error of a constructor into a fault of the value. */
const asOurs =
  <Given, Value>(make: (given: Given) => Value) =>
  (given: Given, context: z.RefinementCtx): Value => {
    try {
      return make(given);
    } catch {
      context.addIssue('not as this version writes it');
      return z.NEVER;
    }
  };

const storedMetadata = z.looseObject({
  schemaVersion: z.int().min(1),
  actor: z.string().transform(asOurs(Actor)),
  recordedAt: z.string().transform(asOurs(IsoTime)),
  $correlationId: z.string(),
  $causationId: z.string().optional(),
  traceparent: z.string().optional(),
  occupancy: z.int().min(0).transform(asOurs(Tokens)).optional(),
  claims: z
    .array(
      z.object({
        path: z.array(z.union([z.string(), z.number()])),
        digest: z.string(),
        size: z.number(),
        mediaType: z.string(),
      }),
    )
    .optional(),
});

export type Decoded<Evt extends StoredEvent> = {
  readonly event: Evt;
  readonly context: EventContext;
  readonly recordedAt: IsoTime;
};

/** Stores of the parts of events outside the log: large content, and the keys of all content. */
export type Stores = { readonly blobs: BlobStore; readonly keys: ContentKeys };

/** An event that was checked, with sealed content; `size` is that of `data` as JSON, in bytes, and `bytes` is that JSON. */
export type Payload = {
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly size: number;
  /** Absent for data that is too large for any append. */
  readonly bytes?: Uint8Array;
};

/** @throws {AppError} `corrupt-event` if the event violates its own schema; like the keys. */
export const payloadOf = async <Evt extends StoredEvent>(
  { id, event }: NewEvent<Evt>,
  stream: StreamName,
  parse: ParseEvent<Evt>,
  keys: ContentKeys,
): Promise<Payload> => {
  const data: unknown = event.data;
  if (!isJsonObject(data) || !parse(event.type, data)) {
    throw new AppError('corrupt-event', `a ${event.type} that does not fit its own schema was not recorded`);
  }
  const sealed = await sealContent(data, { stream, id, type: event.type }, keys);
  return { id, type: event.type, data: sealed, ...measured(sealed) };
};

/** Returns the metadata of an event in an append. */
export const metadataOf = (stream: StreamName, context: EventContext, now: IsoTime): Metadata => {
  const about = {
    schemaVersion: SCHEMA_VERSION,
    tenantId: sessionOf(stream)?.tenant ?? tenantOf(stream),
    actor: context.actor,
    recordedAt: now,
    $correlationId: context.correlationId,
    ...(context.causationId && { $causationId: context.causationId }),
    ...(context.traceparent && { traceparent: context.traceparent }),
    ...(context.occupancy !== undefined && { occupancy: context.occupancy }),
  };
  return { about, bytes: jsonBytes(about) };
};

const jsonBytes = (value: JsonObject): Uint8Array => Buffer.from(JSON.stringify(value));

/** Metadata of events as an object and as JSON bytes. */
export type Metadata = { readonly about: JsonObject; readonly bytes: Uint8Array };

/** Encodes an event to at most `sizeMax` bytes; larger content moves to the blob store. */
export const encode = async (
  { id, type, data: whole, size, bytes }: Payload,
  { about, bytes: metadata }: Metadata,
  sizeMax: number,
  blobs: BlobStore,
): Promise<Encoded> => {
  if (size <= sizeMax) return { id, type, data: bytes ?? jsonBytes(whole), metadata };
  const { data, claims } = await lighten(whole, sizeMax, blobs);
  const claimed = { ...about, claims: claims.map((claim) => ({ ...claim })) };
  return { id, type, data: jsonBytes(data), metadata: claims.length === 0 ? metadata : jsonBytes(claimed) };
};

/** A stored event as the client returns it. */
type Stored = {
  readonly id: string;
  readonly streamId: string;
  readonly revision: bigint;
  readonly type: string;
  readonly data: unknown;
  readonly metadata?: unknown;
};

/**
 * Decodes a stored event, at once if nothing has to be opened or restored.
 *
 * @param sealed the type of events whose content stays sealed.
 * @throws {AppError} `corrupt-event` for an event that is invalid or of a later version; like the stores.
 */
export const decode = <Evt extends StoredEvent>(
  stored: Stored,
  { blobs, keys }: Stores,
  parse: ParseEvent<Evt>,
  sealed?: Evt['type'],
): Decoded<Evt> | Promise<Decoded<Evt>> => {
  const { id, streamId, type, data, metadata } = stored;
  const about = aboutIn(metadata);
  if (!about || !isJsonObject(data)) throw corrupt(stored, 'is not an event of Palimpsest');
  if (about.schemaVersion > SCHEMA_VERSION)
    throw corrupt(stored, 'was written by a later version of Palimpsest: update this one');
  const decoded = (opened: JsonObject | undefined): Decoded<Evt> => {
    const event = opened && parse(type, opened);
    if (!event) throw corrupt(stored, `does not fit the schema of ${type}`);
    return { event, recordedAt: about.recordedAt, context: about.context };
  };
  const { claims } = about;
  if (!claims && (data.sealed === undefined || type === sealed)) return decoded(openPartOf(data));
  // Streams of ours alone are read.
  const place = { stream: streamId as StreamName, id, type };
  return (async () => {
    const whole = claims ? await restore(data, claims, blobs) : data;
    if (whole && type === sealed) return decoded(openPartOf(whole));
    return decoded(whole && (await openContent(whole, place, keys)));
  })();
};

const corrupt = ({ revision, streamId }: Stored, fault: string): AppError =>
  new AppError('corrupt-event', `event ${revision} of ${streamId} ${fault}`);

type About = {
  readonly schemaVersion: number;
  readonly recordedAt: IsoTime;
  readonly context: EventContext;
  readonly claims: z.infer<typeof storedMetadata>['claims'];
};

/** What {@link aboutIn} returned last: readers share the metadata object of events in a row. */
let last: { readonly metadata: unknown; readonly about: About | undefined } = {
  metadata: undefined,
  about: undefined,
};

/** Returns `undefined` for metadata that this program has not written. */
const aboutIn = (metadata: unknown): About | undefined => {
  if (metadata !== last.metadata) last = { metadata, about: checked(metadata) };
  return last.about;
};

const checked = (metadata: unknown): About | undefined => {
  const { data } = storedMetadata.safeParse(metadata);
  if (!data) return undefined;
  const { schemaVersion, actor, recordedAt, $correlationId, $causationId, traceparent, claims, occupancy } =
    data;
  const context = {
    actor,
    correlationId: $correlationId,
    ...($causationId && { causationId: $causationId }),
    ...(traceparent && { traceparent }),
    ...(occupancy !== undefined && { occupancy }),
  };
  return { schemaVersion, recordedAt, context, claims };
};
