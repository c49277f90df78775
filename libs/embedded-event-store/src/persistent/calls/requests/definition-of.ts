import type { EventLog } from '../../../log/event-log.js';
import { STREAM_NAME_BYTES_MAX } from '../../../log/keys.js';
import type { FilterSpec } from '../../../streams/reads/event-filter.js';
import type { Place, Source } from '../../../streams/reads/read-plan.js';
import { invalidArgument } from '../../../wire/grpc-failure.js';
import { type GroupDefinition, groupKey } from '../../definition/group-definition.js';
import { placeText } from '../../definition/places.js';
import { numberOf, type OriginOptions, originOf } from './origin-of.js';
import { type SettingsMessage, settingsOf } from './settings-of.js';

type Options = Omit<OriginOptions, 'getSettings'> & { getSettings(): SettingsMessage | undefined };

/** Returns the group that a request describes. @throws {GrpcFailure} */
export const definitionOf = (
  log: EventLog,
  options: Options | undefined,
  filter?: FilterSpec,
): GroupDefinition => {
  const settings = options?.getSettings();
  if (!options || !settings) throw invalidArgument('a persistent subscription needs options and settings');
  const { source, group, place } = originOf(log, options);
  // The group's streams are named after both.
  if (Buffer.byteLength(groupKey(source, group)) > STREAM_NAME_BYTES_MAX)
    throw invalidArgument(
      `stream name and group name are too long: the limit is ${STREAM_NAME_BYTES_MAX} bytes in sum`,
    );
  return {
    source,
    group,
    settings: settingsOf(settings, source, group),
    ...(filter ? { filter } : {}),
    startFrom: placeText(source, numberOf(place)),
    first: firstOf(log, source, place),
  };
};

const firstOf = (log: EventLog, source: Source, place: Place): number => {
  if (place !== 'end') return numberOf(place);
  return source.kind === 'all' ? log.end : (log.reader.head(source.stream)?.last ?? -1) + 1;
};
