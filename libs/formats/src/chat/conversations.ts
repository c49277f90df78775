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
export const conversationsIn = (
  value: Json,
): { readonly conversations: readonly Conversation[]; readonly foreignCount: number } => {
  const list: readonly Json[] = Array.isArray(value) ? value : [value];
  if (Array.isArray(value) && isMessageList(list)) {
    return { conversations: [{ messages: list }], foreignCount: 0 };
  }
  const found = list.map((element) => (isJsonObject(element) ? conversationOf(element) : undefined));
  const conversations = found.filter((conversation) => conversation !== undefined);
  return { conversations, foreignCount: list.length - conversations.length };
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

/** The list in an object that would hold messages, whatever stands in it; empty where there is none. */
export const listedIn = (around: JsonObject): readonly Json[] =>
  MEMBERS.map((member) => listIn(around, member)).find((list) => list !== undefined && list.length > 0) ?? [];

const MEMBERS = ['messages', 'history', 'traj'] as const;
const ROLES = new Set(['user', 'assistant', 'system', 'developer', 'tool', 'function']);

const conversationOf = (around: JsonObject): Conversation | undefined => {
  for (const member of MEMBERS) {
    const messages = listIn(around, member);
    if (messages !== undefined && isMessageList(messages)) return { messages, around, member };
  }
  return undefined;
};

/** One broken message must not cost the others; but a list with objects of other kinds, or mostly of none, is something else. */
const isMessageList = (list: readonly Json[]): boolean => {
  const objects = list.filter(isJsonObject);
  const strangers = objects.filter(({ role }) => typeof role !== 'string');
  return (
    list.some(isChatMessage) &&
    strangers.every(({ type }) => type === undefined) &&
    strangers.length * 2 < objects.length &&
    objects.every((item) => !('parts' in item))
  );
};
