import { ProtoWriter } from '../../proto/proto-writer.js';
import type { Store } from '../../store.js';
import type { persistent } from '../../wire/definitions.js';
import { invalidArgument } from '../../wire/grpc-failure.js';
import type { Consumer } from '../consumer.js';
import type { Group } from '../group.js';
import { parkedStreamOf, sourceName } from '../group-definition.js';
import { sourceOf } from './source-of.js';

/** `message GetInfoResp`. Rates are not measured and are 0. @throws {GrpcFailure} */
export const groupInfo = (store: Store, request: persistent.GetInfoReq): Buffer => {
  const options = request.getOptions();
  if (!options) throw invalidArgument('the options are missing');
  const group = store.groups.get(sourceOf(options), options.getGroupName());
  return new ProtoWriter(512).bytes(1, infoOf(store, group)).finish();
};

const infoOf = (store: Store, group: Group): Buffer => {
  const { definition, messages, consumers } = group;
  const { settings } = definition;
  const info = new ProtoWriter(512)
    .string(1, sourceName(definition.source))
    .string(2, definition.group)
    .string(3, 'Live');
  for (const consumer of consumers) info.bytes(4, connectionOf(consumer));
  const parked = store.log.reader.head(parkedStreamOf(definition));
  return info
    .integer(6, group.deliveredCount)
    .string(8, placeText(group, group.checkpointer.written - 1))
    .string(9, placeText(group, lastKnown(store, group)))
    .boolean(10, settings.resolveLinks)
    .string(11, definition.startFrom)
    .integer(12, Math.round(settings.messageTimeoutMs))
    .boolean(13, settings.extraStatistics)
    .integer(14, settings.maxRetryCount)
    .integer(15, settings.liveBufferSize)
    .integer(16, settings.historyBufferSize)
    .integer(17, settings.readBatchSize)
    .integer(18, Math.round(settings.checkpointAfterMs))
    .integer(19, settings.minCheckpointCount)
    .integer(20, settings.maxCheckpointCount)
    .integer(21, messages.fresh.length)
    .integer(22, 0)
    .integer(23, messages.retries.length)
    .integer(24, messages.outstanding.size)
    .integer(25, messages.outstanding.size)
    .string(26, settings.strategy)
    .integer(27, settings.maxSubscriberCount)
    .integer(28, parked ? parked.last + 1 : 0)
    .finish();
};

const connectionOf = (consumer: Consumer): Buffer =>
  new ProtoWriter(128)
    .string(1, consumer.peer)
    .string(2, 'anonymous')
    .integer(4, consumer.delivered)
    .integer(7, Math.max(0, consumer.bufferSize - consumer.inFlight))
    .integer(8, consumer.inFlight)
    .string(9, consumer.connectionName)
    .finish();

const lastKnown = ({ log }: Store, { definition: { source } }: Group): number =>
  source.kind === 'all'
    ? (log.reader.lastOfAll()?.position ?? -1)
    : (log.reader.head(source.stream)?.last ?? -1);

/** Nothing yet is the empty text. */
const placeText = ({ definition }: Group, place: number): string => {
  if (place < 0) return '';
  return definition.source.kind === 'all' ? `C:${place}/P:${place}` : String(place);
};
