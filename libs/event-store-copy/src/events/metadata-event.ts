import { canonicalJson, parseJsonObject } from '@app/kernel';
import type { RawEvent } from './raw-event.js';

const DELETED_BEFORE = '9223372036854775807';

/** Returns the stream that a metadata event describes; `undefined` for other events. */
export const describedStream = ({ stream, type }: RawEvent): string | undefined =>
  stream.startsWith('$$') && type === '$metadata' ? stream.slice(2) : undefined;

/** Whether metadata soft-deletes its stream. */
export const isDeletion = ({ data }: RawEvent): boolean =>
  new RegExp(`"\\$tb"\\s*:\\s*${DELETED_BEFORE}\\b`).test(Buffer.from(data).toString('utf8'));

/**
 * Returns the text of metadata that a server may have written itself when an append reopened the stream: then id and
 * JSON formatting are the server's. `undefined` for other events.
 */
export const reopeningText = (event: RawEvent): string | undefined => {
  if (describedStream(event) === undefined || isDeletion(event)) return undefined;
  const metadata = parseJsonObject(Buffer.from(event.data).toString('utf8'));
  return typeof metadata?.$tb === 'number' ? canonicalJson(metadata) : undefined;
};
