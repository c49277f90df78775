import type { EventLog } from '../../../log/event-log.js';
import type { Place, Source } from '../../../streams/reads/read-plan.js';
import type { shared } from '../../../wire/definitions.js';
import { invalidArgument } from '../../../wire/grpc-failure.js';
import { clampedNumber, meansEnd, streamNameOf } from '../../../wire/values.js';
import { groupFailed } from '../../failures.js';

/** The request fields that identify a group; Create and Update have the same shape. */
export type OriginOptions = {
  getGroupName(): string;
  getAll(): AllOptions | undefined;
  getStream():
    | {
        getStreamIdentifier(): shared.StreamIdentifier | undefined;
        hasRevision(): boolean;
        getRevision(): string;
        hasEnd(): boolean;
      }
    | undefined;
  getStreamIdentifier(): shared.StreamIdentifier | undefined;
  getSettings(): { getRevision(): string } | undefined;
};
type AllOptions = {
  getPosition(): { getCommitPosition(): string; getPreparePosition(): string } | undefined;
  hasEnd(): boolean;
};
type Origin = { readonly source: Source; readonly group: string; readonly place: Place };

/** Returns the group of a request and its start. @throws {GrpcFailure} */
export const originOf = (log: EventLog, options: OriginOptions): Origin => {
  const group = options.getGroupName();
  if (group === '') throw invalidArgument('a persistent subscription needs a group name');
  const all = options.getAll();
  return all ? originOfAll(log, group, all) : originOfStream(group, options);
};

const originOfAll = (log: EventLog, group: string, all: AllOptions): Origin => {
  const source = { kind: 'all' } as const;
  const position = all.getPosition();
  if (!position) return { source, group, place: all.hasEnd() ? 'end' : 'start' };
  const [commit, prepare] = [position.getCommitPosition(), position.getPreparePosition()];
  if (BigInt(prepare) > BigInt(commit))
    throw groupFailed(source, group, 'the prepare position must not lie beyond the commit position');
  const place = numbered(commit);
  if (place !== 'end' && numberOf(place) > log.end)
    throw groupFailed(source, group, 'the start position lies beyond the end of the log');
  return { source, group, place };
};

const originOfStream = (group: string, options: OriginOptions): Origin => {
  const stream = options.getStream();
  const name = streamNameOf((stream ?? options).getStreamIdentifier());
  const source = { kind: 'stream', stream: name } as const;
  if (name === '$all')
    throw groupFailed(source, group, '$all is not a stream: use a persistent subscription to $all');
  // The client still sends the revision in the settings.
  if (!stream) return { source, group, place: numbered(options.getSettings()?.getRevision() ?? '0') };
  if (stream.hasRevision()) return { source, group, place: numbered(stream.getRevision()) };
  return { source, group, place: stream.hasEnd() ? 'end' : 'start' };
};

const numbered = (digits: string): Place => (meansEnd(digits) ? 'end' : { at: clampedNumber(digits) });

/** Returns a place as a number, as the info call shows it; the end is -1. */
export const numberOf = (place: Place): number => (place === 'start' ? 0 : place === 'end' ? -1 : place.at);
