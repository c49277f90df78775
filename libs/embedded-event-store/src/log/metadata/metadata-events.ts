import { randomUUID } from 'node:crypto';
import { parseJsonObject } from '@app/kernel';
import { EventId } from '../event-id.js';
import type { ProposedEvent } from '../record.js';
import { DELETED_BEFORE } from './stream-metadata.js';

const METADATA_TYPE = '$metadata';
const TOMBSTONE_TYPE = '$streamDeleted';
/** Returns the metadata of a soft-deleted stream, which replaces the old metadata, as in EventStoreDB. */
export const deletion = (): ProposedEvent => metadataEvent(`{"$tb":${DELETED_BEFORE}}`);

/**
 * Returns the metadata that reopens a soft-deleted stream: the old metadata, with everything from revision `from`
 * readable. `undefined` if the old metadata is no JSON object, which deletes nothing either.
 */
export const reopening = (metadata: Buffer, from: number): ProposedEvent | undefined => {
  const text = metadata.toString('utf8');
  const raw = parseJsonObject(text);
  if (!raw) return undefined;
  // Edits the text if possible: it may contain numbers that a JavaScript number cannot represent.
  if (text.includes(DELETED_BEFORE)) return metadataEvent(text.replaceAll(DELETED, `"$tb":${from}`));
  if (raw.$tb !== undefined) return metadataEvent(JSON.stringify({ ...raw, $tb: from }));
  const separator = Object.keys(raw).length > 0 ? ',' : '';
  return metadataEvent(text.replace(/\}\s*$/, () => `${separator}"$tb":${from}}`));
};
const DELETED = new RegExp(`"\\$tb"\\s*:\\s*${DELETED_BEFORE}`, 'g');

export const tombstone = (): ProposedEvent => systemEvent(TOMBSTONE_TYPE, '');

const metadataEvent = (json: string): ProposedEvent => systemEvent(METADATA_TYPE, json);
const systemEvent = (type: string, json: string): ProposedEvent => ({
  id: EventId(randomUUID()),
  type,
  contentType: 'application/json',
  data: Buffer.from(json),
  metadata: Buffer.alloc(0),
});
