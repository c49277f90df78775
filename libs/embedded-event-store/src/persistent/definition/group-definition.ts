import { invariant, isJsonObject, type JsonObject } from '@app/kernel';
import type { FilterSpec } from '../../streams/reads/event-filter.js';
import type { Source } from '../../streams/reads/read-plan.js';
import type { StrategyName } from '../strategies/strategy-of.js';

export type GroupSettings = {
  readonly resolveLinks: boolean;
  /** Whether the times from delivery to answer are kept for whoever asks. */
  readonly extraStatistics: boolean;
  /** An event that is not acknowledged within this time is delivered again; 0: never. Milliseconds. */
  readonly messageTimeoutMs: number;
  /** An event is parked when it is to be delivered again more often than this. */
  readonly maxRetryCount: number;
  /** The checkpoint is written so long after it has moved by `minCheckpointCount`; 0: not by time. Milliseconds. */
  readonly checkpointAfterMs: number;
  readonly minCheckpointCount: number;
  /** … and at once when it has moved by so many events. */
  readonly maxCheckpointCount: number;
  /** 0: as many as come. */
  readonly maxSubscriberCount: number;
  /**
   * Told to whoever asks, and without effect: it bounds what EventStoreDB holds while it joins history and live
   * events, and here both are one cursor.
   */
  readonly liveBufferSize: number;
  /** So many events at most wait in memory for a consumer. */
  readonly historyBufferSize: number;
  /** Events of one read; 0 stands for 20. */
  readonly readBatchSize: number;
  readonly strategy: StrategyName;
};

/** A persistent subscription as it was created or last updated. */
export type GroupDefinition = {
  readonly source: Source;
  readonly group: string;
  readonly settings: GroupSettings;
  readonly filter?: FilterSpec;
  /** Where it was told to start, as the info call shows it: a revision, or `C:x/P:x`; -1 is the end. */
  readonly startFrom: string;
  /** The first revision or position to deliver, inclusive, as long as there is no checkpoint. */
  readonly first: number;
};

/** `$all` or the stream's name. */
export const sourceName = (source: Source): string => (source.kind === 'all' ? '$all' : source.stream);
/** What the protocol calls the subscription's id. */
export const groupKey = (source: Source, group: string): string => `${sourceName(source)}::${group}`;

type Named = Pick<GroupDefinition, 'source' | 'group'>;
const PREFIX = '$persistentsubscription-';
const PARKED = '-parked';
const CHECKPOINT = '-checkpoint';
/** Where events go that nobody could handle: links to them. */
export const parkedStreamOf = ({ source, group }: Named): string =>
  `${PREFIX}${groupKey(source, group)}${PARKED}`;
/** Where a group says how far it has come. */
export const checkpointStreamOf = ({ source, group }: Named): string =>
  `${PREFIX}${groupKey(source, group)}${CHECKPOINT}`;
/** Whether a group to $all writes this stream: if groups to $all were given it, they would never come to rest. */
export const isBookkeepingOfAll = (stream: string): boolean =>
  stream.startsWith(`${PREFIX}$all::`) && (stream.endsWith(PARKED) || stream.endsWith(CHECKPOINT));

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
