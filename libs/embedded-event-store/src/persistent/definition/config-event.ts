import type { Json } from '@app/kernel';
import type { Append } from '../../log/appends/append.js';
import type { LogReader } from '../../log/log-reader.js';
import { type GroupDefinition, sourceName } from './group-definition.js';
import { latestEvent } from './system-event.js';

const STREAM = '$persistentSubscriptionConfig';
const TYPE = '$PersistentConfig';

/**
 * Returns the event that EventStoreDB stores all groups in. Here it is for readers only: the table `groups` is
 * authoritative.
 */
export const configEvent = (reader: LogReader, definitions: readonly GroupDefinition[]): Append[] =>
  latestEvent(reader, STREAM, TYPE, {
    version: '2',
    updated: new Date().toISOString(),
    entries: definitions.map(entryOf),
  });

const entryOf = ({ source, group, settings, filter, startFrom }: GroupDefinition): Json => ({
  stream: sourceName(source),
  group,
  ...(filter
    ? {
        filter: {
          context: filter.on === 'stream' ? 'streamid' : 'eventtype',
          type: filter.regex === undefined ? 'prefix' : 'regex',
          data: filter.regex ?? (filter.prefixes ?? []).join(','),
          isAllStream: true,
        },
      }
    : {}),
  startPosition: startFrom,
  resolveLinkTos: settings.resolveLinks,
  extraStatistics: settings.extraStatistics,
  messageTimeout: settings.messageTimeoutMs,
  maxRetryCount: settings.maxRetryCount,
  checkPointAfter: settings.checkpointAfterMs,
  minCheckPointCount: settings.minCheckpointCount,
  maxCheckPointCount: settings.maxCheckpointCount,
  maxSubscriberCount: settings.maxSubscriberCount,
  liveBufferSize: settings.liveBufferSize,
  historyBufferSize: settings.historyBufferSize,
  readBatchSize: settings.readBatchSize,
  namedConsumerStrategy: settings.strategy,
});
