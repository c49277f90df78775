import type { LogReader } from '../../log/log-reader.js';
import type { Source } from '../../streams/reads/read-plan.js';

/** Returns a revision or position as the protocol writes it; `undefined` is the empty text. */
export const placeText = (source: Source, place: number | undefined): string => {
  if (place === undefined) return '';
  return source.kind === 'all' ? `C:${place}/P:${place}` : String(place);
};

/** Returns the last event's place in a source; `undefined` without events. */
export const lastPlaceOf = (reader: LogReader, source: Source): number | undefined =>
  source.kind === 'all' ? reader.lastOfAll()?.position : reader.head(source.stream)?.last;

/** Returns the place of the last event before `place`. */
export const placeBefore = (reader: LogReader, source: Source, place: number): number | undefined => {
  if (place === 0) return undefined;
  if (source.kind === 'stream') return place - 1;
  return reader.readAll({ from: place - 1, backwards: true, limit: 1 })[0]?.position;
};
