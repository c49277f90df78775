import { ProtoWriter } from '@app/kernel';
import type { LogReader } from '../../log/log-reader.js';
import { sourceName } from '../definition/group-definition.js';
import { lastPlaceOf, placeText } from '../definition/places.js';
import type { Consumer } from '../delivery/consumer.js';
import type { Group } from '../delivery/group.js';

/** Encodes `message SubscriptionInfo`. Rates are averages since the previous call. */
export const groupInfo = (reader: LogReader, group: Group): Buffer => {
  const { definition, messages, consumers, meter, status } = group;
  const { source, settings } = definition;
  const info = new ProtoWriter(512)
    .string(1, sourceName(source))
    .string(2, definition.group)
    .string(3, status);
  for (const consumer of consumers) info.bytes(4, connectionInfo(consumer, settings.extraStatistics));
  const { count, perSecond } = meter.measure();
  const inFlight = consumers.reduce((sum, consumer) => sum + consumer.inFlight, 0);
  const freshCount = messages.fresh.length;
  return info
    .integer(5, perSecond)
    .integer(6, meter.total)
    .integer(7, count)
    .string(8, placeText(source, group.checkpointer.lastFinished))
    .string(9, placeText(source, lastPlaceOf(reader, source)))
    .boolean(10, settings.resolveLinks)
    .string(11, definition.startFrom)
    .integer(12, signed(Math.round(settings.messageTimeoutMs)))
    .boolean(13, settings.extraStatistics)
    .integer(14, signed(settings.maxRetryCount))
    .integer(15, signed(settings.liveBufferSize))
    .integer(16, signed(settings.historyBufferSize))
    .integer(17, signed(settings.readBatchSize))
    .integer(18, signed(Math.round(settings.checkpointAfterMs)))
    .integer(19, signed(settings.minCheckpointCount))
    .integer(20, signed(settings.maxCheckpointCount))
    .integer(21, freshCount)
    .integer(22, status === 'Live' ? Math.min(freshCount, Math.max(0, settings.liveBufferSize)) : 0)
    .integer(23, messages.retries.length)
    .integer(24, inFlight)
    .integer(25, messages.outstanding.size + messages.parking.size)
    .string(26, settings.strategy)
    .integer(27, signed(settings.maxSubscriberCount))
    .integer(28, group.parked.count)
    .finish();
};

const connectionInfo = (consumer: Consumer, extraStatistics: boolean): Buffer => {
  const { identity, meter, latencies, bufferSize, inFlight } = consumer;
  const { count, perSecond } = meter.measure();
  const info = new ProtoWriter(128)
    .string(1, identity.peer)
    .string(2, identity.user)
    .integer(3, perSecond)
    .integer(4, meter.total)
    .integer(5, count);
  for (const [name, milliseconds] of extraStatistics ? latencies.measurements() : [])
    info.bytes(6, new ProtoWriter(32).string(1, name).integer(2, milliseconds).finish());
  return info
    .integer(7, Math.max(0, bufferSize - inFlight))
    .integer(8, inFlight)
    .string(9, identity.connectionName)
    .finish();
};

/** Clients may set any number, also negative ones. */
const signed = (value: number): bigint => BigInt(value);
