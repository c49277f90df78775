import { type Json, parseJsonObject } from '@app/kernel';
import { NUMBER_MAX } from '../keys.js';

/** What the newest event of `$$stream` says about a stream; who may do what with it stands in `security/acl`. */
export type StreamMetadata = {
  /** Only so many events, the newest ones, are readable. */
  readonly maxCount?: number;
  /** Events are readable for so long. Seconds. */
  readonly maxAge?: number;
  /** Events below this revision are not readable. */
  readonly truncateBefore?: number;
  /** Deleted, but not for ever: the next append opens the stream again. */
  readonly isDeleted: boolean;
};

/** An event of a metadata stream. */
type MetadataEvent = { readonly data: Buffer; readonly isJson: boolean };

export const NO_METADATA: StreamMetadata = { isDeleted: false };
/** Of all that was said about a stream the last is what counts: that is the metadata of every metadata stream. */
export const METADATA_OF_METADATA: StreamMetadata = { isDeleted: false, maxCount: 1 };

/** The `$tb` of a deleted stream, the largest revision that there can be; as text, since it is no number here. */
export const DELETED_BEFORE = '9223372036854775807';

/**
 * Reads the metadata that a client wrote. As in EventStoreDB, metadata have no effect where one of the store's own
 * members is malformed, where they are no JSON, or where their content type is another one.
 */
export const parseMetadata = ({ data, isJson }: MetadataEvent): StreamMetadata => {
  if (!isJson) return NO_METADATA;
  const text = data.toString('utf8');
  const raw = parseJsonObject(text);
  if (!raw) return NO_METADATA;
  const maxCount = wholeNumber(raw.$maxCount, 1);
  const maxAge = wholeNumber(raw.$maxAge, 1);
  const truncateBefore = wholeNumber(raw.$tb, 0);
  if ([maxCount, maxAge, truncateBefore].includes('malformed')) return NO_METADATA;
  return {
    isDeleted: typeof truncateBefore === 'number' && saysDeleted(text),
    ...(typeof maxCount === 'number' && { maxCount }),
    ...(typeof maxAge === 'number' && { maxAge }),
    ...(typeof truncateBefore === 'number' && { truncateBefore }),
  };
};

/** JSON's numbers are doubles here, in which the largest revisions are all the same: the text tells. */
const saysDeleted = (text: string): boolean => new RegExp(`"\\$tb"\\s*:\\s*${DELETED_BEFORE}\\b`).test(text);

const wholeNumber = (value: Json | undefined, least: number): number | 'malformed' | undefined => {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least) return 'malformed';
  return Math.min(value, NUMBER_MAX);
};
