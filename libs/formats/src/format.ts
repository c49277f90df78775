import type { Json } from '@app/kernel';
import type { Draft } from './drafts/draft.js';
import type { Entry } from './lines/parse-line.js';

/** `possible`: the value fits without evidence; later values decide. */
export type Recognition = 'certain' | 'possible' | 'no';

/** The recognition of a transcript format, and its reader. */
export type FormatReader = {
  readonly name: string;
  /** Looks at one JSON value: a line's, or the whole document. */
  readonly recognize: (value: Json) => Recognition;
  /** Reads on demand; never throws because of the content of entries. */
  readonly read: (entries: AsyncIterable<Entry>) => AsyncIterable<Draft>;
};
