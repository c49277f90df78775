import { isJsonObject, type Json } from '@app/kernel';
import { objectIn, stringIn } from '../drafts/members.js';
import type { Recognition } from '../format.js';

/** Whether `value` is an event of a session log that Copilot CLI writes. */
export const recognizeCopilotCli = (value: Json): Recognition => {
  if (!isJsonObject(value) || !objectIn(value, 'data') || !('parentId' in value)) return 'no';
  const [kind = '', event] = (stringIn(value, 'type') ?? '').split('.');
  return KINDS.has(kind) && event !== undefined ? 'certain' : 'no';
};
const KINDS = new Set([
  'session',
  'user',
  'assistant',
  'tool',
  'system',
  'hook',
  'permission',
  'subagent',
  'skill',
]);
