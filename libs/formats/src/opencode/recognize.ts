import { isJsonObject, type Json } from '@app/kernel';
import { listIn, objectIn, stringIn } from '../drafts/members.js';
import type { Recognition } from '../format.js';

/** Whether `value` is a session as `opencode export` writes it: what is known of it, and its messages with their parts. */
export const recognizeOpenCode = (value: Json): Recognition => {
  if (!isJsonObject(value)) return 'no';
  const [info, messages] = [objectIn(value, 'info'), listIn(value, 'messages')];
  if (!info || !messages || stringIn(info, 'id') === undefined) return 'no';
  const isOurs = messages.length === 0 ? 'projectID' in info : messages.some(isMessage);
  return isOurs ? 'certain' : 'no';
};

const isMessage = (message: Json): boolean =>
  isJsonObject(message) &&
  stringIn(objectIn(message, 'info') ?? {}, 'role') !== undefined &&
  Array.isArray(message.parts);
