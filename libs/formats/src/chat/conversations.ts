import { isJsonObject, type Json, type JsonObject, parseJson } from '@app/kernel';
import { listIn } from '../drafts/members.js';
import { sidesOf } from '../exchanges/sides.js';
import { type Answer, answerIn } from './answers.js';
import { isChatMessage, wrappedMessage } from './is-chat-message.js';

/** A list of chat messages, with the members beside it. */
export type Conversation = {
  readonly messages: readonly Json[];
  /** The object around the list; `undefined` for a bare list. */
  readonly around?: JsonObject;
  /** The member that holds it: agents' trajectories say `history` or `traj`, requests say `messages`. */
  readonly member?: (typeof MEMBERS)[number];
  /** The response, if it is recorded too. */
  readonly answer?: Answer;
};

/** Returns the conversations of a document: one, or one per element of its list; else none. */
export const conversationsIn = (
  value: Json,
): { readonly conversations: readonly Conversation[]; readonly foreignCount: number } => {
  const list: readonly Json[] = Array.isArray(value) ? value : [value];
  if (Array.isArray(value) && isMessageList(list.map((element) => wrappedMessage(element) ?? element))) {
    return { conversations: [{ messages: list }], foreignCount: 0 };
  }
  const found = list.map((element) => (isJsonObject(element) ? conversationOf(element) : undefined));
  const conversations = found.filter((conversation) => conversation !== undefined);
  return { conversations, foreignCount: list.length - conversations.length };
};

/** Returns the message list of an object, unchecked; empty without one. */
export const listedIn = (around: JsonObject): readonly Json[] =>
  MEMBERS.map((member) => listIn(around, member)).find((list) => list !== undefined && list.length > 0) ?? [];

const MEMBERS = [
  'messages',
  'history',
  'traj',
  'trajectory',
  'conversations',
  'chatMessages',
  'input',
] as const;

const conversationOf = (record: JsonObject): Conversation | undefined => {
  if (isChatMessage(record)) return undefined;
  const { request, response = record } = sidesOf(record);
  const answer = answerIn(response) ?? answerIn(record);
  const asked = requestOf(record) ?? (request && requestOf(request));
  if (asked === undefined && answer === undefined) return undefined;
  return { ...(asked ?? { messages: [], around: response }), ...(answer && { answer }) };
};

const requestOf = (around: JsonObject): Conversation | undefined => {
  for (const member of MEMBERS) {
    const messages = messagesOf(around[member]);
    if (messages !== undefined && isMessageList(messages)) return { messages, around, member };
  }
  return undefined;
};

/** Tables of trajectories hold the list as its text. */
const messagesOf = (value: Json | undefined): readonly Json[] | undefined => {
  const list = typeof value === 'string' && value.startsWith('[') ? parseJson(value) : value;
  if (!Array.isArray(list)) return undefined;
  const messages: readonly Json[] = list;
  return messages;
};

/** Tolerates single broken messages; rejects lists with objects of other kinds, or mostly without objects. */
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
