import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { objectIn, stringIn } from '../drafts/members.js';
import type { Recognition } from '../format.js';

/** Whether `value` is a record of a session log that pi writes, of version 1 (a list) or later (a tree). */
export const recognizePi = (value: Json): Recognition =>
  isJsonObject(value) && isRecord(value) ? 'certain' : 'no';

const isRecord = (record: JsonObject): boolean => {
  switch (record.type) {
    case 'session':
      return stringIn(record, 'id') !== undefined && stringIn(record, 'cwd') !== undefined;
    case 'message':
      // Without a time, its position in the tree distinguishes it from messages of other formats.
      return (
        stringIn(objectIn(record, 'message') ?? {}, 'role') !== undefined &&
        (stringIn(record, 'timestamp') !== undefined || 'parentId' in record)
      );
    case 'model_change':
      return stringIn(record, 'modelId') !== undefined;
    case 'thinking_level_change':
      return stringIn(record, 'thinkingLevel') !== undefined;
    default:
      return false;
  }
};
