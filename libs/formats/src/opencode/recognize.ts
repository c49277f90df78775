import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { listIn, objectIn, stringIn } from '../drafts/members.js';
import type { Recognition } from '../format.js';
import { isOfSecond } from './second-version.js';

/** Recognizes a session of `opencode export`, with its metadata and messages, or a single message of it. */
export const recognizeOpenCode = (value: Json): Recognition => {
  if (!isJsonObject(value)) return 'no';
  if (isMessage(value)) return sessionIn(value) === undefined ? 'no' : 'certain';
  const [info, messages] = [objectIn(value, 'info'), listIn(value, 'messages')];
  if (!info || !messages || stringIn(info, 'id') === undefined) return 'no';
  const isOurs =
    messages.length === 0
      ? 'projectID' in info
      : messages.some((message) => isMessage(message) || isOfSecond(message));
  return isOurs ? 'certain' : 'no';
};

export const isMessage = (message: Json): message is JsonObject =>
  isJsonObject(message) &&
  stringIn(objectIn(message, 'info') ?? {}, 'role') !== undefined &&
  Array.isArray(message.parts);

/** Returns the session id of a message. */
export const sessionIn = (message: JsonObject): string | undefined =>
  stringIn(objectIn(message, 'info') ?? {}, 'sessionID');
