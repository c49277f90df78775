import type { JsonObject } from '@app/kernel';
import { isToolName } from './anthropic-blocks.js';
import {
  extraMembers,
  type Faults,
  isBlank,
  isPositiveInteger,
  listOf,
  objectOf,
  repeatedIn,
  unless,
  wireFaults,
} from './values.js';

/** OpenAI's maximum length of call ids and tool names. */
const ID_MAX = 40;
const NAME_MAX = 64;
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  developer: ['content'],
  system: ['content'],
  user: ['content'],
  assistant: ['content', 'tool_calls'],
  tool: ['content', 'tool_call_id'],
};

/**
 * Returns the violations that OpenAI's Chat Completions API rejects in a request body, under the strictest reading of its rules.
 * Written from the provider's documentation, independently of the code under test. The last step may lack its
 * results.
 */
export const openAiChatFaults = (body: unknown): Faults => {
  const request = objectOf(body);
  const messages = listOf(request.messages).map(objectOf);
  const spoken = messages.filter(({ role }) => role !== 'system' && role !== 'developer');
  return [
    ...wireFaults(body),
    ...extraMembers('body', request, ['model', 'messages', 'tools', 'max_completion_tokens']),
    ...unless(!isBlank(request.model), 'model: blank'),
    ...unless(isPositiveInteger(request.max_completion_tokens), 'max_completion_tokens: not positive'),
    ...toolFaults(request.tools),
    ...unless(spoken.length > 0, 'messages: only instructions'),
    ...unless(spoken.length === 0 || spoken[0]?.role === 'user', 'messages: the user does not begin'),
    ...messages.flatMap((message, at) => messageFaults(message, at, messages)),
    ...idFaults(messages, request.tools),
  ];
};

const toolFaults = (tools: unknown): Faults => {
  if (tools === undefined) return [];
  const functions = listOf(tools).map((tool) => objectOf(objectOf(tool).function));
  return [
    ...unless(functions.length > 0 && functions.length <= 128, 'tools: none, or more than 128'),
    ...repeatedIn(functions.map(({ name }) => name)).map((name) => `tools: the name ${name} twice`),
    ...functions.flatMap(({ name, parameters }, at) => [
      ...unless(isToolName(name, NAME_MAX), `tools.${at}: the name is not valid`),
      ...unless(parameters === undefined || objectOf(parameters).type === 'object', `tools.${at}: no schema`),
    ]),
  ];
};

const messageFaults = (message: JsonObject, at: number, messages: readonly JsonObject[]): Faults => {
  const where = `messages.${at}`;
  const { role, content } = message;
  const members = MEMBERS[String(role)];
  if (!members) return [`${where}: has the role ${role}`];
  const calls = listOf(message.tool_calls).map(objectOf);
  const mayBeSilent = role === 'assistant' && calls.length > 0 && (content === null || content === undefined);
  return [
    ...extraMembers(where, message, ['role', ...members]),
    ...(mayBeSilent ? [] : contentFaults(where, role, content)),
    ...unless(message.tool_calls === undefined || calls.length > 0, `${where}: an empty list of calls`),
    ...calls.flatMap((call, index) => callFaults(`${where}.tool_calls.${index}`, call)),
    ...answerFaults(message, at, messages),
  ];
};

const contentFaults = (where: string, role: unknown, content: unknown): Faults => {
  if (typeof content === 'string') return unless(!isBlank(content), `${where}: blank content`);
  const parts = listOf(content).map(objectOf);
  return [
    ...unless(parts.length > 0, `${where}: no content`),
    ...parts.flatMap((part, at) => {
      if (part.type === 'text') return unless(!isBlank(part.text), `${where}.${at}: blank text`);
      if (part.type !== 'image_url' || role !== 'user') return [`${where}.${at}: ${part.type} from ${role}`];
      const { url } = objectOf(part.image_url);
      const isImage = /^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/])/.test(String(url));
      return unless(isImage, `${where}.${at}: no image`);
    }),
  ];
};

const callFaults = (where: string, call: JsonObject): Faults => {
  const { name, arguments: given } = objectOf(call.function);
  return [
    ...extraMembers(where, call, ['id', 'type', 'function']),
    ...extraMembers(where, objectOf(call.function), ['name', 'arguments']),
    ...unless(call.type === 'function', `${where}: not a function`),
    ...unless(
      !isBlank(call.id) && String(call.id).length <= ID_MAX,
      `${where}: the id is too long, or blank`,
    ),
    ...unless(isToolName(name, NAME_MAX), `${where}: the name is not valid`),
    ...unless(isObjectJson(given), `${where}: the arguments are no JSON object`),
  ];
};

/** All answers directly follow a message with calls, and occur nowhere else. */
const answerFaults = (message: JsonObject, at: number, messages: readonly JsonObject[]): Faults => {
  const where = `messages.${at}`;
  if (message.role === 'tool') {
    const asked = messages.slice(0, at).findLast(({ role }) => role !== 'tool');
    return unless(
      callIdsOf(asked).includes(message.tool_call_id),
      `${where}: a tool message must follow an assistant message with its tool_call`,
    );
  }
  const after = messages.slice(at + 1);
  const end = after.findIndex(({ role }) => role !== 'tool');
  const answered = end < 0 ? after : after.slice(0, end);
  const answers: readonly unknown[] = answered.map((answer) => answer.tool_call_id);
  const isLastStep = end < 0;
  const unanswered = callIdsOf(message).filter((id) => !answers.includes(id) && !isLastStep);
  return [
    ...unanswered.map((id) => `${where}: must be followed by tool messages responding to ${id}`),
    ...repeatedIn(answers).map((id) => `${where}: two answers to ${id}`),
  ];
};

const idFaults = (messages: readonly JsonObject[], tools: unknown): Faults => {
  const declared: readonly unknown[] = listOf(tools).map((tool) => objectOf(objectOf(tool).function).name);
  const called: readonly unknown[] = messages
    .flatMap((message) => listOf(message.tool_calls))
    .map((call) => objectOf(objectOf(call).function).name);
  return [
    ...repeatedIn(messages.flatMap(callIdsOf)).map((id) => `messages: the call id ${id} twice`),
    ...called.filter((name) => !declared.includes(name)).map((name) => `tools: ${name} is not declared`),
  ];
};

const callIdsOf = (message: JsonObject | undefined): readonly unknown[] =>
  listOf(message?.tool_calls).map((call) => objectOf(call).id);

const isObjectJson = (text: unknown): boolean => {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};
