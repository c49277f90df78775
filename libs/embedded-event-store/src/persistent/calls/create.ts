import { status } from '@grpc/grpc-js';
import type { Store } from '../../store.js';
import { filterSpecOf, matcherOf } from '../../streams/reading/event-filter.js';
import type { Place, Source } from '../../streams/reading/read-plan.js';
import type { persistent } from '../../wire/definitions.js';
import { GrpcFailure, invalidArgument } from '../../wire/grpc-failure.js';
import { clampedNumber, meansEnd, streamNameOf } from '../../wire/values.js';
import type { ConsumerStrategy, GroupDefinition, GroupSettings } from '../group-definition.js';

/** @throws {GrpcFailure} */
export const createGroup = (store: Store, request: persistent.CreateReq): Promise<void> =>
  store.groups.create(definitionOf(store, request));

const definitionOf = (store: Store, request: persistent.CreateReq): GroupDefinition => {
  const options = request.getOptions();
  const settings = options?.getSettings();
  if (!options || !settings) throw invalidArgument('a persistent subscription needs options and settings');
  const group = options.getGroupName();
  if (group === '') throw invalidArgument('a persistent subscription needs a group name');
  const { source, place } = originOf(options, settings);
  const filterOptions = options.getAll()?.getFilter();
  const filter = filterOptions && filterSpecOf(filterOptions);
  if (filter) matcherOf(filter); // Refuses a regular expression that is none before it is stored.
  return {
    source,
    group,
    settings: settingsOf(settings),
    ...(filter ? { filter } : {}),
    startFrom: textOf(source, place),
    first: firstOf(store, source, place),
  };
};

const originOf = (
  options: persistent.CreateReq.Options,
  settings: persistent.CreateReq.Settings,
): { source: Source; place: Place } => {
  const all = options.getAll();
  if (all) {
    const position = all.getPosition();
    const place = position ? numbered(position.getCommitPosition()) : all.hasEnd() ? 'end' : 'start';
    return { source: { kind: 'all' }, place };
  }
  const stream = options.getStream();
  const source = {
    kind: 'stream',
    stream: streamNameOf((stream ?? options).getStreamIdentifier()),
  } as const;
  if (!stream) return { source, place: numbered(settings.getRevision()) }; // The client still sends it this way.
  if (stream.hasRevision()) return { source, place: numbered(stream.getRevision()) };
  return { source, place: stream.hasEnd() ? 'end' : 'start' };
};

const numbered = (digits: string): Place => (meansEnd(digits) ? 'end' : { at: clampedNumber(digits) });

const textOf = (source: Source, place: Place): string => {
  const number = place === 'start' ? 0 : place === 'end' ? -1 : place.at;
  return source.kind === 'all' ? `C:${number}/P:${number}` : String(number);
};

const firstOf = ({ log }: Store, source: Source, place: Place): number => {
  if (place === 'start') return 0;
  if (place !== 'end') return place.at;
  return source.kind === 'all' ? log.end : (log.reader.head(source.stream)?.last ?? -1) + 1;
};

const TICKS_PER_MS = 10_000;

const settingsOf = (settings: persistent.CreateReq.Settings): GroupSettings => ({
  resolveLinks: settings.getResolveLinks(),
  extraStatistics: settings.getExtraStatistics(),
  messageTimeoutMs: settings.hasMessageTimeoutTicks()
    ? clampedNumber(settings.getMessageTimeoutTicks()) / TICKS_PER_MS
    : settings.getMessageTimeoutMs(),
  maxRetryCount: settings.getMaxRetryCount(),
  checkpointAfterMs: settings.hasCheckpointAfterTicks()
    ? clampedNumber(settings.getCheckpointAfterTicks()) / TICKS_PER_MS
    : settings.getCheckpointAfterMs(),
  minCheckpointCount: settings.getMinCheckpointCount(),
  maxCheckpointCount: settings.getMaxCheckpointCount(),
  maxSubscriberCount: settings.getMaxSubscriberCount(),
  liveBufferSize: settings.getLiveBufferSize(),
  historyBufferSize: settings.getHistoryBufferSize(),
  readBatchSize: settings.getReadBatchSize(),
  strategy: strategyOf(settings),
});

const strategyOf = (settings: persistent.CreateReq.Settings): ConsumerStrategy => {
  const name = settings.getConsumerStrategy() || NAMED_STRATEGIES[settings.getNamedConsumerStrategy()];
  if (name === 'RoundRobin' || name === 'DispatchToSingle') return name;
  throw new GrpcFailure(
    status.UNIMPLEMENTED,
    `the consumer strategy ${name} is not implemented by the embedded event store; RoundRobin and DispatchToSingle are`,
  );
};
const NAMED_STRATEGIES = ['DispatchToSingle', 'RoundRobin', 'Pinned'];
