import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { listIn, objectIn, stringIn } from '../drafts/members.js';
import type { Recognition } from '../format.js';

/** Whether `value` is a session of Gemini CLI, a record of one, or the list of contents that `/chat save` writes. */
export const recognizeGeminiCli = (value: Json): Recognition => {
  if (Array.isArray(value)) return isContents(value) ? 'certain' : 'no';
  if (!isJsonObject(value)) return 'no';
  // A session may have lost the members around its messages.
  const isNamed =
    isHeader(value) || (listIn(value, 'messages') ?? []).some((one) => isJsonObject(one) && isRecord(one));
  return isNamed || isRecord(value) || contentsIn(value) !== undefined ? 'certain' : 'no';
};

/** Returns the contents of a conversation in Gemini's API form; `undefined` without any. */
export const contentsIn = (value: Json): readonly Json[] | undefined => {
  const lists = Array.isArray(value)
    ? [value]
    : isJsonObject(value)
      ? MEMBERS.map((member) => listIn(value, member))
      : [];
  return lists.find((list) => list !== undefined && isContents(list));
};
/** A saved chat has its history; a checkpoint has the model's beside the user's. */
const MEMBERS = ['history', 'clientHistory'];

const isContents = (list: readonly Json[]): boolean =>
  list.some(isContent) && list.every((item) => !isJsonObject(item) || isContent(item));

const isContent = (value: Json): boolean =>
  isJsonObject(value) && (value.role === 'user' || value.role === 'model') && Array.isArray(value.parts);

const isHeader = (record: JsonObject): boolean =>
  stringIn(record, 'sessionId') !== undefined && stringIn(record, 'projectHash') !== undefined;

const isRecord = (record: JsonObject): boolean => {
  if (stringIn(record, '$rewindTo') !== undefined) return true;
  if (listIn(objectIn(record, '$set') ?? {}, 'messages') !== undefined) return true;
  return (
    record.type === 'gemini' &&
    'content' in record &&
    stringIn(record, 'id') !== undefined &&
    stringIn(record, 'timestamp') !== undefined
  );
};
