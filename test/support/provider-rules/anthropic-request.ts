import type { JsonObject } from '@app/kernel';
import { blockFaults, isToolName } from './anthropic-blocks.js';
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

/**
 * Returns the violations that Anthropic's Messages API rejects in a request body, under the strictest reading of its rules. Written
 * from the provider's documentation, independently of the code under test.
 *
 * One exception: in the last step calls need no results yet, and the last message may be the assistant's.
 */
export const anthropicFaults = (body: unknown): Faults => {
  const request = objectOf(body);
  const messages = listOf(request.messages).map(objectOf);
  return [
    ...wireFaults(body),
    ...extraMembers('body', request, ['model', 'max_tokens', 'system', 'messages', 'tools']),
    ...unless(!isBlank(request.model), 'model: blank'),
    ...unless(isPositiveInteger(request.max_tokens), 'max_tokens: not positive'),
    ...systemFaults(request.system),
    ...toolFaults(request.tools),
    ...unless(messages.length > 0, 'messages: at least one message is required'),
    ...unless(messages.length === 0 || messages[0]?.role === 'user', 'messages.0: not from the user'),
    ...messages.flatMap((message, at) => messageFaults(message, at, messages)),
    ...idFaults(messages, request.tools),
  ];
};

const systemFaults = (system: unknown): Faults => {
  if (system === undefined) return [];
  if (typeof system === 'string') return unless(!isBlank(system), 'system: blank');
  const blocks = listOf(system).map(objectOf);
  return [
    ...unless(blocks.length > 0, 'system: empty'),
    ...blocks.flatMap((block, at) =>
      unless(block.type === 'text' && !isBlank(block.text), `system.${at}: blank, or no text`),
    ),
  ];
};

const toolFaults = (tools: unknown): Faults => {
  if (tools === undefined) return [];
  const list = listOf(tools).map(objectOf);
  return [
    ...unless(list.length > 0, 'tools: empty'),
    ...repeatedIn(list.map((tool) => tool.name)).map((name) => `tools: the name ${name} twice`),
    ...list.flatMap((tool, at) => {
      // A server tool has its own type, and no schema.
      const isCustom = tool.type === undefined || tool.type === 'custom';
      const hasSchema = objectOf(tool.input_schema).type === 'object';
      return [
        ...unless(isToolName(tool.name), `tools.${at}: the name is not valid`),
        ...unless(!isCustom || hasSchema, `tools.${at}: the schema is no object's`),
      ];
    }),
  ];
};

const messageFaults = (message: JsonObject, at: number, messages: readonly JsonObject[]): Faults => {
  const where = `messages.${at}`;
  const { role, content } = message;
  const blocks = listOf(content).map(objectOf);
  const isFilled = typeof content === 'string' ? !isBlank(content) : blocks.length > 0;
  return [
    ...extraMembers(where, message, ['role', 'content']),
    ...unless(role === 'user' || role === 'assistant', `${where}: has the role ${role}`),
    ...unless(at === 0 || role !== messages[at - 1]?.role, `${where}: two ${role} messages in a row`),
    ...unless(isFilled, `${where}: is empty`),
    ...blocks.flatMap((block, index) => blockFaults(`${where}.${index}`, block, role)),
    ...unless(!endsWithThinking(message), `${where}: the final block cannot be thinking`),
    ...serverToolFaults(where, blocks),
    ...resultFaults(message, at, messages),
  ];
};

const endsWithThinking = ({ content }: JsonObject): boolean =>
  ['thinking', 'redacted_thinking'].includes(String(objectOf(listOf(content).at(-1)).type));

/** Results come first, and answer all calls of the previous message. */
const resultFaults = (message: JsonObject, at: number, messages: readonly JsonObject[]): Faults => {
  const where = `messages.${at}`;
  const previous = messages[at - 1];
  const due = previous?.role === 'assistant' ? idsOf(previous, 'tool_use', 'id') : [];
  const types = listOf(message.content).map((block) => objectOf(block).type);
  const results = idsOf(message, 'tool_result', 'tool_use_id');
  const isLastStep = at === messages.length - 1;
  return [
    ...unless(
      types.slice(0, results.length).every((type) => type === 'tool_result'),
      `${where}: tool results are not first`,
    ),
    ...results
      .filter((id) => !due.includes(id))
      .map((id) => `${where}: unexpected tool_use_id ${id} found in tool_result blocks`),
    ...repeatedIn(results).map((id) => `${where}: two results for ${id}`),
    ...due
      .filter((id) => !results.includes(id) && !isLastStep)
      .map((id) => `${where}: tool_use ids were found without tool_result blocks immediately after: ${id}`),
  ];
};

/** A server tool runs within the message, which contains its result after its call. */
const serverToolFaults = (where: string, blocks: readonly JsonObject[]): Faults => {
  const calls = blocks.filter((block) => block.type === 'server_tool_use').map((block) => block.id);
  const results = blocks
    .filter((block) => block.type !== 'tool_result' && String(block.type).endsWith('_tool_result'))
    .map((block) => block.tool_use_id);
  return [
    ...calls.filter((id) => !results.includes(id)).map((id) => `${where}: server call ${id} has no result`),
    ...results.filter((id) => !calls.includes(id)).map((id) => `${where}: server result ${id} has no call`),
  ];
};

const idFaults = (messages: readonly JsonObject[], tools: unknown): Faults => {
  const names: readonly unknown[] = listOf(tools).map((tool) => objectOf(tool).name);
  const used = messages.flatMap((message) => idsOf(message, 'tool_use', 'name'));
  return [
    ...repeatedIn(messages.flatMap((message) => idsOf(message, 'tool_use', 'id'))).map(
      (id) => `messages: tool_use ids must be unique: ${id}`,
    ),
    ...used.filter((name) => !names.includes(name)).map((name) => `tools: ${name} is called, not declared`),
  ];
};

const idsOf = ({ content }: JsonObject, type: string, member: string): readonly unknown[] =>
  listOf(content)
    .map(objectOf)
    .filter((block) => block.type === type)
    .map((block) => block[member]);
