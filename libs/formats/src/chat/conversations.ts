import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { listIn } from '../drafts/members.js';

/** A list of chat messages, with what stands beside it. */
export type Conversation = {
  readonly messages: readonly Json[];
  /** The object that holds the list; `undefined` where the list stands alone. */
  readonly around?: JsonObject;
  /** The member that holds it: agents' trajectories say `history` or `traj`, requests say `messages`. */
  readonly member?: (typeof MEMBERS)[number];
};

/** The conversations that a document holds: one, or one for each element of a list that has one; else none. */
export const conversationsIn = (value: Json): readonly Conversation[] => {
  if (!Array.isArray(value)) return isJsonObject(value) ? conversationsOf(value) : [];
  const list: readonly Json[] = value;
  if (isMessageList(list)) return [{ messages: list }];
  return list.flatMap((element) => (isJsonObject(element) ? conversationsOf(element) : []));
};

/**
 * Whether `value` looks like one message of a chat. Messages with `parts` are another protocol's, and those
 * with a `type` of their own are items of one that has tool calls beside its messages.
 */
export const isChatMessage = (value: Json): value is JsonObject =>
  isJsonObject(value) &&
  typeof value.role === 'string' &&
  ROLES.has(value.role) &&
  !('parts' in value) &&
  (value.type === undefined || value.type === 'message') &&
  ('content' in value || Array.isArray(value.tool_calls) || isJsonObject(value.function_call));

const MEMBERS = ['messages', 'history', 'traj'] as const;
const ROLES = new Set(['user', 'assistant', 'system', 'developer', 'tool', 'function']);

const conversationsOf = (around: JsonObject): readonly Conversation[] =>
  MEMBERS.flatMap((member) => {
    const messages = listIn(around, member);
    return messages !== undefined && isMessageList(messages) ? [{ messages, around, member }] : [];
  }).slice(0, 1);

/** One broken message must not cost the others; but a list with objects without roles is something else. */
const isMessageList = (list: readonly Json[]): boolean =>
  list.some(isChatMessage) &&
  list.every((item) => !isJsonObject(item) || (typeof item.role === 'string' && !('parts' in item)));
