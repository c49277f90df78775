import type { Json } from '@app/kernel';
import type { Draft } from './drafts/draft.js';
import type { Entry } from './lines/parse-line.js';
import type { TranscriptFormat } from './transcript.js';

/** `possible`: it would fit, and nothing in it says so; the values after it decide. */
export type Recognition = 'certain' | 'possible' | 'no';

/** One kind of transcript: how a value of it is told from others, and how a file of it is read. */
export type Format = {
  readonly name: TranscriptFormat;
  /** Looks at one JSON value: a line's, or the whole document. */
  readonly recognize: (value: Json) => Recognition;
  /** Reads on as it is consumed; it throws for nothing that stands in the entries. */
  readonly read: (entries: AsyncIterable<Entry>) => AsyncIterable<Draft>;
};
