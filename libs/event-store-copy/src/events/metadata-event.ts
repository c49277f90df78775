import { canonicalJson, parseJsonObject } from '@app/kernel';
import type { RawEvent } from './raw-event.js';

const DELETED_BEFORE = '9223372036854775807';

/** The stream that a metadata event is about; `undefined` for any other event. */
export const describedStream = ({ stream, type }: RawEvent): string | undefined =>
  stream.startsWith('$$') && type === '$metadata' ? stream.slice(2) : undefined;

/** Whether metadata deletes its stream until somebody appends to it again. */
export const isDeletion = ({ data }: RawEvent): boolean =>
  new RegExp(`"\\$tb"\\s*:\\s*${DELETED_BEFORE}\\b`).test(Buffer.from(data).toString('utf8'));

/**
 * The text of metadata that a server may have written itself, when an append opened its stream again: then the id is
 * the server's, and so is the form of the JSON. `undefined` for any other event.
 */
export const reopeningText = (event: RawEvent): string | undefined => {
  if (describedStream(event) === undefined || isDeletion(event)) return undefined;
  const metadata = parseJsonObject(Buffer.from(event.data).toString('utf8'));
  return typeof metadata?.$tb === 'number' ? canonicalJson(metadata) : undefined;
};
