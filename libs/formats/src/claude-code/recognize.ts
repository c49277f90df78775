import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { objectIn, stringIn } from '../drafts/members.js';
import type { Recognition } from '../format.js';

/** Whether `value` is a record of a session log that Claude Code writes, one of those without a message included. */
export const recognizeClaudeCode = (value: Json): Recognition =>
  isJsonObject(value) && stringIn(value, 'type') !== undefined && isOfSession(value) ? 'certain' : 'no';

const isOfSession = (record: JsonObject): boolean => {
  if ('parentUuid' in record && 'uuid' in record) return true;
  switch (record.type) {
    case 'user':
    case 'assistant':
      // `session_id` is how the same program names it in its output stream, which nests side chains otherwise.
      return stringIn(objectIn(record, 'message') ?? {}, 'role') !== undefined && !('session_id' in record);
    case 'summary':
      return stringIn(record, 'leafUuid') !== undefined;
    case 'file-history-snapshot':
      return objectIn(record, 'snapshot') !== undefined;
    case 'queue-operation':
      return stringIn(record, 'operation') !== undefined && stringIn(record, 'sessionId') !== undefined;
    default:
      return false;
  }
};
