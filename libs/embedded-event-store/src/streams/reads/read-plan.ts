import { NUMBER_MAX } from '../../log/keys.js';
import type { streams } from '../../wire/definitions.js';
import { invalidArgument } from '../../wire/grpc-failure.js';
import { clampedNumber, meansEnd, streamNameOf } from '../../wire/values.js';
import { type EventFilter, filterOf } from './event-filter.js';

/** The source of events. */
export type Source = { readonly kind: 'all' } | { readonly kind: 'stream'; readonly stream: string };

/** A place in a source as clients specify it: `at` is a position of the log or a revision of the stream. */
export type Place = 'start' | 'end' | { readonly at: number };

/** A validated request for events. */
export type ReadPlan = {
  readonly source: Source;
  readonly place: Place;
  readonly backwards: boolean;
  /** The maximum number of events; `undefined` for a subscription. */
  readonly count: number | undefined;
  readonly filter: EventFilter | undefined;
  readonly resolveLinks: boolean;
  /** Whether ids are returned as two numbers instead of text. */
  readonly structuredIds: boolean;
};

/** @throws {GrpcFailure} INVALID_ARGUMENT for a contradictory request. */
export const readPlanOf = (request: streams.ReadReq): ReadPlan => {
  const options = request.getOptions();
  if (!options) throw invalidArgument('a read needs options');
  const backwards = options.getReadDirection() !== 0;
  const isSubscription = options.hasSubscription();
  if (!isSubscription && !options.hasCount()) throw invalidArgument('a read needs a count or a subscription');
  if (isSubscription && backwards) throw invalidArgument('a subscription cannot run backwards');
  const { source, place } = originOf(options);
  const filter = options.getFilter();
  if (filter && source.kind === 'stream') throw invalidArgument('only $all can be read with a filter');
  return {
    source,
    place,
    backwards,
    count: isSubscription ? undefined : clampedNumber(options.getCount()),
    filter: filter && filterOf(filter),
    resolveLinks: options.getResolveLinks(),
    structuredIds: options.getUuidOption()?.hasStructured() ?? false,
  };
};

const originOf = (options: streams.ReadReq.Options): { source: Source; place: Place } => {
  const stream = options.getStream();
  if (stream) {
    const revision = stream.getRevision();
    return {
      source: { kind: 'stream', stream: streamNameOf(stream.getStreamIdentifier()) },
      place: stream.hasRevision() ? numbered(revision) : stream.hasEnd() ? 'end' : 'start',
    };
  }
  const all = options.getAll();
  if (!all) throw invalidArgument('a read needs a stream or $all');
  const position = all.getPosition();
  const place = position ? numbered(position.getCommitPosition()) : all.hasEnd() ? 'end' : 'start';
  return { source: { kind: 'all' }, place };
};

const numbered = (digits: string): Place => (meansEnd(digits) ? 'end' : { at: clampedNumber(digits) });

/**
 * Returns the first revision or position of a read, inclusive; `undefined` if the read is empty.
 *
 * Backwards through $all a position is a place *between* events, as in EventStoreDB: the event that begins there is
 * excluded.
 */
export const firstOfRead = ({ source, place, backwards }: ReadPlan): number | undefined => {
  if (!backwards) return place === 'end' ? undefined : place === 'start' ? 0 : place.at;
  if (place === 'end') return NUMBER_MAX;
  const at = place === 'start' ? 0 : place.at;
  if (source.kind === 'stream') return at;
  return at === 0 ? undefined : at - 1;
};
