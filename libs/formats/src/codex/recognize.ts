import { isJsonObject, type Json } from '@app/kernel';
import { objectIn, stringIn } from '../drafts/members.js';
import type { Recognition } from '../format.js';

/** Whether `value` is a record of a rollout that Codex writes: a kind, a time and a payload. */
export const recognizeCodex = (value: Json): Recognition => {
  if (!isJsonObject(value) || stringIn(value, 'timestamp') === undefined) return 'no';
  const payload = objectIn(value, 'payload');
  return payload && KINDS.has(String(value.type)) ? 'certain' : 'no';
};

const KINDS = new Set(['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']);
