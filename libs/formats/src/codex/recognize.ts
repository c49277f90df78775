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

/** Rollouts of the first versions begin with what is known of the session, and go on with bare items. */
export const isOldHeader = (record: JsonObject): boolean =>
  stringIn(record, 'id') !== undefined &&
  stringIn(record, 'timestamp') !== undefined &&
  ('instructions' in record || 'git' in record || Object.keys(record).length === 2) &&
  !('type' in record) &&
  !('role' in record) &&
  !('messages' in record);

/** What the program was that Codex was written anew from: one document, with its items in a list. */
export const isOldDocument = (record: JsonObject): boolean =>
  Array.isArray(record.items) &&
  stringIn(objectIn(record, 'session') ?? {}, 'id') !== undefined &&
  stringIn(objectIn(record, 'session') ?? {}, 'timestamp') !== undefined;
