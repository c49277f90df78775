import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { objectIn, stringIn } from '../drafts/members.js';
import type { Recognition } from '../format.js';

/** Whether `value` is a record of a rollout that Codex writes: a kind and a payload, or how old ones begin. */
export const recognizeCodex = (value: Json): Recognition => {
  if (!isJsonObject(value)) return 'no';
  const payload = objectIn(value, 'payload');
  if (!payload) return isOldHeader(value) || isOldDocument(value) ? 'certain' : 'no';
  const saysWhat = [value.timestamp, payload.type, payload.id].some((member) => typeof member === 'string');
  return KINDS.has(String(value.type)) && saysWhat ? 'certain' : 'no';
};

const KINDS = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']);

/** Returns whether the record is the header of a rollout of the first versions, followed by bare items. */
export const isOldHeader = (record: JsonObject): boolean =>
  stringIn(record, 'id') !== undefined &&
  stringIn(record, 'timestamp') !== undefined &&
  ('instructions' in record || 'git' in record || Object.keys(record).length === 2) &&
  !('type' in record) &&
  !('role' in record) &&
  !('messages' in record);

/** Returns whether the record is a session of the TypeScript version: one document with its items in a list. */
export const isOldDocument = (record: JsonObject): boolean =>
  Array.isArray(record.items) &&
  stringIn(objectIn(record, 'session') ?? {}, 'id') !== undefined &&
  stringIn(objectIn(record, 'session') ?? {}, 'timestamp') !== undefined;
