import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { objectIn, stringIn } from '../drafts/members.js';
import type { Recognition } from '../format.js';
import { isStreamed } from './stream-output.js';

/** Recognizes records of Claude Code's session logs and output stream, including those without a message. */
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
