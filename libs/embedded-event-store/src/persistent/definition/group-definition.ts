import { invariant, isJsonObject, type JsonObject } from '@app/kernel';
import type { FilterSpec } from '../../streams/reads/event-filter.js';
import type { Source } from '../../streams/reads/read-plan.js';
import type { StrategyName } from '../strategies/strategy-of.js';

export type GroupSettings = {
  readonly resolveLinks: boolean;
  /** Whether to collect latencies from delivery to answer. */
  readonly extraStatistics: boolean;
  /** An unacknowledged event is redelivered after this time; 0: never. Milliseconds. */
  readonly messageTimeoutMs: number;
  /** An event is parked after this many redeliveries. */
  readonly maxRetryCount: number;
  /** The checkpoint is written this long after it has moved by `minCheckpointCount`; 0: not by time. Milliseconds. */
  readonly checkpointAfterMs: number;
  readonly minCheckpointCount: number;
  /** The checkpoint is written at once after it has moved by this many events. */
  readonly maxCheckpointCount: number;
  /** 0: unlimited. */
  readonly maxSubscriberCount: number;
  /**
   * Reported without effect: in EventStoreDB it bounds the buffer between history and live events, which are one
   * cursor here.
   */
  readonly liveBufferSize: number;
  /** The maximum number of events that wait in memory. */
  readonly historyBufferSize: number;
  /** Events per read; 0 stands for 20. */
  readonly readBatchSize: number;
  readonly strategy: StrategyName;
};

/** A persistent subscription as created or last updated. */
export type GroupDefinition = {
  readonly source: Source;
  readonly group: string;
  readonly settings: GroupSettings;
  readonly filter?: FilterSpec;
  /** The requested start, as the info call shows it: a revision, or `C:x/P:x`; -1 is the end. */
  readonly startFrom: string;
  /** The first revision or position to deliver, inclusive, without a checkpoint. */
  readonly first: number;
};

/** Returns `$all` or the stream's name. */
export const sourceName = (source: Source): string => (source.kind === 'all' ? '$all' : source.stream);
/** Returns the protocol's subscription id. */
export const groupKey = (source: Source, group: string): string => `${sourceName(source)}::${group}`;

type Named = Pick<GroupDefinition, 'source' | 'group'>;
const PREFIX = '$persistentsubscription-';
const PARKED = '-parked';
const CHECKPOINT = '-checkpoint';
/** Returns the stream of links to parked events. */
export const parkedStreamOf = ({ source, group }: Named): string =>
  `${PREFIX}${groupKey(source, group)}${PARKED}`;
/** Returns the stream of checkpoints. */
export const checkpointStreamOf = ({ source, group }: Named): string =>
  `${PREFIX}${groupKey(source, group)}${CHECKPOINT}`;
/**
 * Whether a group to $all writes this stream. Delivering these events to such groups would cause endless checkpoints.
 */
export const isBookkeepingOfAll = (stream: string): boolean =>
  stream.startsWith(`${PREFIX}$all::`) && (stream.endsWith(PARKED) || stream.endsWith(CHECKPOINT));

export const encodeDefinition = (definition: GroupDefinition): Buffer =>
  Buffer.from(JSON.stringify(definition));

/** Decodes the bytes of {@link encodeDefinition}. */
export const decodeDefinition = (bytes: Buffer): GroupDefinition => {
  const stored: unknown = JSON.parse(bytes.toString('utf8'));
  invariant(isJsonObject(stored) && isDefinition(stored), 'a stored persistent subscription is malformed');
  return stored;
};

// A shallow check: only this program writes definitions.
const isDefinition = (stored: JsonObject): stored is JsonObject & GroupDefinition =>
  isJsonObject(stored.source) &&
  isJsonObject(stored.settings) &&
  typeof stored.group === 'string' &&
  typeof stored.first === 'number';
