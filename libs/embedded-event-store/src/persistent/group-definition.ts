import { invariant, isJsonObject, type JsonObject } from '@app/kernel';
import type { FilterSpec } from '../streams/reading/event-filter.js';
import type { Source } from '../streams/reading/read-plan.js';

/** How the next consumer is chosen: one after the other, or the first one that has room. */
export type ConsumerStrategy = 'RoundRobin' | 'DispatchToSingle';

export type GroupSettings = {
  readonly resolveLinks: boolean;
  readonly extraStatistics: boolean;
  /** An event that is not acknowledged within this time is delivered again; 0: never. Milliseconds. */
  readonly messageTimeoutMs: number;
  /** An event is parked when it is to be delivered again more often than this. */
  readonly maxRetryCount: number;
  /** The checkpoint is written at the latest so long after it has moved. Milliseconds. */
  readonly checkpointAfterMs: number;
  readonly minCheckpointCount: number;
  /** … and at once after so many acknowledgements. */
  readonly maxCheckpointCount: number;
  /** 0: as many as come. */
  readonly maxSubscriberCount: number;
  readonly liveBufferSize: number;
  readonly historyBufferSize: number;
  readonly readBatchSize: number;
  readonly strategy: ConsumerStrategy;
};

/** A persistent subscription as it was created; it never changes, only its checkpoint does. */
export type GroupDefinition = {
  readonly source: Source;
  readonly group: string;
  readonly settings: GroupSettings;
  readonly filter?: FilterSpec;
  /** Where it was told to start, as the info call shows it: a revision, or `C:x/P:x`; -1 is the end. */
  readonly startFrom: string;
  /** The first revision or position to deliver, inclusive. */
  readonly first: number;
};

/** `$all` or the stream's name. */
export const sourceName = (source: Source): string => (source.kind === 'all' ? '$all' : source.stream);
/** What the protocol calls the subscription's id. */
export const groupKey = (source: Source, group: string): string => `${sourceName(source)}::${group}`;
/** Where events go that nobody could handle: links to them. */
export const parkedStreamOf = ({ source, group }: Pick<GroupDefinition, 'source' | 'group'>): string =>
  `$persistentsubscription-${groupKey(source, group)}-parked`;

export const encodeDefinition = (definition: GroupDefinition): Buffer =>
  Buffer.from(JSON.stringify(definition));

/** What {@link encodeDefinition} wrote. */
export const decodeDefinition = (bytes: Buffer): GroupDefinition => {
  const stored: unknown = JSON.parse(bytes.toString('utf8'));
  invariant(isJsonObject(stored) && isDefinition(stored), 'a stored persistent subscription is malformed');
  return stored;
};

// Written by this program alone, and checked only for being of that kind.
const isDefinition = (stored: JsonObject): stored is JsonObject & GroupDefinition =>
  isJsonObject(stored.source) &&
  isJsonObject(stored.settings) &&
  typeof stored.group === 'string' &&
  typeof stored.first === 'number';
