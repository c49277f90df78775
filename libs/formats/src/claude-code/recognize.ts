import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { objectIn, stringIn } from '../drafts/members.js';
import type { Recognition } from '../format.js';
import { isStreamed } from './stream-output.js';

/** Whether `value` is a record of a session log that Claude Code writes, or of what it puts out; those without a message included. */
export const recognizeClaudeCode = (value: Json): Recognition =>
  isJsonObject(value) && stringIn(value, 'type') !== undefined && isOfSession(value) ? 'certain' : 'no';

const isOfSession = (record: JsonObject): boolean => {
  if ('parentUuid' in record && 'uuid' in record) return true;
  switch (record.type) {
    case 'user':
    case 'assistant':
      return stringIn(objectIn(record, 'message') ?? {}, 'role') !== undefined;
    case 'system':
      return record.subtype === 'init' && isStreamed(record);
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
