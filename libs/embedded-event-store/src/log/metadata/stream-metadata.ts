import { type Json, parseJsonObject } from '@app/kernel';
import { NUMBER_MAX } from '../keys.js';

/** The newest metadata of a stream, from `$$stream`. `security/acl` reads the ACL of the same event. */
export type StreamMetadata = {
  /** `$maxCount`: only the newest events up to this number are readable. */
  readonly maxCount?: number;
  /** `$maxAge`: older events are not readable. Seconds. */
  readonly maxAge?: number;
  /** `$tb`: events below this revision are not readable. */
  readonly truncateBefore?: number;
  /** Soft-deleted: the next append reopens the stream. */
  readonly isDeleted: boolean;
};

/** An event of a metadata stream. */
type MetadataEvent = { readonly data: Buffer; readonly isJson: boolean };

export const NO_METADATA: StreamMetadata = { isDeleted: false };
/** The metadata of every metadata stream: only its last event is readable. */
export const METADATA_OF_METADATA: StreamMetadata = { isDeleted: false, maxCount: 1 };

/** The `$tb` of a soft-deleted stream, the largest int64; as text, since no JavaScript number represents it. */
export const DELETED_BEFORE = '9223372036854775807';

/**
 * Parses the metadata of a client. As in EventStoreDB, metadata has no effect if a system member is malformed, if it
 * is not JSON or if its content type is not JSON.
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

/** Compares the text, since doubles do not distinguish the largest revisions. */
const saysDeleted = (text: string): boolean => new RegExp(`"\\$tb"\\s*:\\s*${DELETED_BEFORE}\\b`).test(text);

const wholeNumber = (value: Json | undefined, least: number): number | 'malformed' | undefined => {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least) return 'malformed';
  return Math.min(value, NUMBER_MAX);
};
