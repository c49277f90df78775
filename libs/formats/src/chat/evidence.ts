import { isJsonObject, type Json, type JsonObject, ownMember } from '@app/kernel';
import { listIn } from '../drafts/members.js';
import { type Conversation, conversationsIn } from './conversations.js';
import { isChatMessage, wrappedMessage } from './is-chat-message.js';

/**
 * The protocol of a JSON value: `either` without evidence; `openai-likely` for a system message, which other programs
 * write too; `neither` if it is not a chat.
 */
export type Protocol = 'anthropic' | 'openai' | 'openai-likely' | 'either' | 'neither';

export const protocolOf = (value: Json): Protocol => {
  const { conversations } = conversationsIn(value);
  if (conversations.length > 0) return protocolOfConversations(conversations);
  const message = wrappedMessage(value) ?? value;
  return isChatMessage(message) && !isResponsesItem(message) ? protocolOfMessage(message) : 'neither';
};

/** Returns whether the message is specific to OpenAI's protocol; it may occur in an Anthropic transcript. */
export const isOpenAiOnly = (message: JsonObject): boolean =>
  OPENAI_ROLES.has(String(message.role)) ||
  Array.isArray(message.tool_calls) ||
  isJsonObject(message.function_call) ||
  OPENAI_MEMBERS.some((member) => typeof ownMember(message, member) === 'string') ||
  hasPart(message, OPENAI_PARTS);

const OPENAI_ROLES = new Set(['developer', 'tool', 'function']);
const OPENAI_MEMBERS = ['reasoning_content', 'reasoning', 'refusal'];
const OPENAI_PARTS = new Set([
  'image_url',
  'input_text',
  'output_text',
  'input_image',
  'input_audio',
  'refusal',
]);
const ANTHROPIC_PARTS = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'image',
  'document',
  'server_tool_use',
]);

const hasPart = (message: JsonObject, types: ReadonlySet<string>): boolean =>
  (listIn(message, 'content') ?? []).some((part) => isJsonObject(part) && types.has(String(part.type)));

/** A complete document: without evidence both protocols read it the same. */
const protocolOfConversations = (conversations: readonly Conversation[]): 'anthropic' | 'openai' => {
  if (conversations.some(({ around }) => around !== undefined && hasSystem(around))) return 'anthropic';
  const protocols = new Set(
    conversations.flatMap(({ messages, answer }) =>
      [...messages, answer?.message ?? null]
        .map((message) => wrappedMessage(message) ?? message)
        .filter(isChatMessage)
        .map(protocolOfMessage),
    ),
  );
  if (protocols.has('anthropic')) return 'anthropic';
  const isOpenAi = protocols.has('openai') || protocols.has('openai-likely');
  return isOpenAi || conversations.some(isOpenAiAround) ? 'openai' : 'anthropic';
};

const hasSystem = ({ system }: JsonObject): boolean => typeof system === 'string' || Array.isArray(system);

/** Agent trajectories are OpenAI messages by default, and so are messages beside OpenAI's tools and choices. */
const isOpenAiAround = ({ around = {}, member, answer }: Conversation): boolean =>
  OF_TRAJECTORIES.has(member ?? '') ||
  answer?.isOpenAi === true ||
  (listIn(around, 'tools') ?? []).some((tool) => isJsonObject(tool) && isJsonObject(tool.function));

const OF_TRAJECTORIES = new Set(['history', 'traj', 'trajectory', 'chatMessages']);

const protocolOfMessage = (message: JsonObject): Protocol => {
  if (hasPart(message, ANTHROPIC_PARTS)) return 'anthropic';
  if (isOpenAiOnly(message)) return 'openai';
  return message.role === 'system' ? 'openai-likely' : 'either';
};

/** A line of another protocol of OpenAI's, where tool calls are items beside the messages: not read here. */
const isResponsesItem = (message: JsonObject): boolean =>
  message.type === 'message' && hasPart(message, RESPONSES_PARTS);
const RESPONSES_PARTS = new Set(['input_text', 'output_text']);
