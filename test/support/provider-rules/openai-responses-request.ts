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
const ID_MAX = 64;
const NAME_MAX = 64;
const PARAMETERS = ['model', 'instructions', 'input', 'tools', 'include', 'store', 'max_output_tokens'];
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  message: ['role', 'content', 'phase'],
  reasoning: ['summary', 'content', 'encrypted_content'],
  function_call: ['call_id', 'name', 'arguments'],
  custom_tool_call: ['call_id', 'name', 'input'],
  function_call_output: ['call_id', 'output'],
  custom_tool_call_output: ['call_id', 'output'],
  web_search_call: ['status', 'action'],
  compaction: ['encrypted_content'],
};
const PARTS: Readonly<Record<string, readonly string[]>> = {
  input_text: ['text'],
  input_image: ['image_url', 'file_id', 'detail'],
  input_file: ['filename', 'file_data', 'file_url', 'file_id'],
};

/**
 * Returns the violations that OpenAI's Responses API rejects in a request body, under the strictest reading of its rules. Written
 * from the provider's documentation, independently of the code under test. The last step may lack its results.
 */
export const openAiResponsesFaults = (body: unknown): Faults => {
  const request = objectOf(body);
  const input = listOf(request.input).map(objectOf);
  const spoken = input.filter(({ role }) => role !== 'system' && role !== 'developer');
  return [
    ...wireFaults(body),
    ...extraMembers('body', request, PARAMETERS),
    ...unless(!isBlank(request.model), 'model: blank'),
    ...unless(request.store === false, 'store: the provider keeps it'),
    ...unless(request.instructions === undefined || !isBlank(request.instructions), 'instructions: blank'),
    ...unless(
      isPositiveInteger(request.max_output_tokens) && Number(request.max_output_tokens) >= 16,
      'max_output_tokens: below 16',
    ),
    ...toolFaults(request.tools),
    ...unless(spoken.length > 0, 'input: only instructions'),
    ...unless(spoken.length === 0 || spoken[0]?.role === 'user', 'input: the user does not begin'),
    ...input.flatMap((item, at) => itemFaults(item, `input.${at}`, input[at + 1])),
    ...pairFaults(input),
    ...undeclared(input, request.tools),
  ];
};

const toolFaults = (tools: unknown): Faults => {
  if (tools === undefined) return [];
  const list = listOf(tools).map(objectOf);
  return [
    ...unless(list.length > 0 && list.length <= 128, 'tools: none, or more than 128'),
    ...repeatedIn(list.map(({ name }) => name)).map((name) => `tools: the name ${name} twice`),
    ...list.flatMap(({ type, name, parameters }, at) => [
      ...unless(type === 'function' || type === 'custom', `tools.${at}: has the type ${type}`),
      ...unless(isToolName(name, NAME_MAX), `tools.${at}: the name is not valid`),
      ...unless(type === 'custom' || objectOf(parameters).type === 'object', `tools.${at}: no schema`),
    ]),
  ];
};

const itemFaults = (item: JsonObject, where: string, next: JsonObject | undefined): Faults => {
  const type = String(item.type ?? 'message');
  const members = MEMBERS[type];
  if (!members) return [`${where}: has the type ${type}`];
  return [
    ...extraMembers(where, item, ['type', ...members]),
    ...(type === 'message' ? messageFaults(item, where) : []),
    ...(type === 'reasoning' ? thoughtFaults(item, where, next) : []),
    ...(isCall(item) ? callFaults(item, where) : []),
    ...(isOutput(item) ? contentFaults(item.output, `${where}.output`) : []),
    ...unless(type !== 'compaction' || !isBlank(item.encrypted_content), `${where}: nothing encrypted`),
  ];
};

const messageFaults = ({ role, content, phase }: JsonObject, where: string): Faults => [
  ...unless(
    ['user', 'assistant', 'system', 'developer'].includes(String(role)),
    `${where}: has the role ${role}`,
  ),
  ...unless(phase === undefined || role === 'assistant', `${where}: a phase that is not the assistant’s`),
  ...unless(role === 'user' || typeof content === 'string', `${where}: parts that are not the user’s`),
  ...contentFaults(content, where),
];

const thoughtFaults = (item: JsonObject, where: string, next: JsonObject | undefined): Faults => [
  ...unless(Array.isArray(item.summary), `${where}: no summary`),
  ...unless(!isBlank(item.encrypted_content), `${where}: not encrypted`),
  ...unless(
    next !== undefined && !isOutput(next) && (next.role === undefined || next.role === 'assistant'),
    `${where}: without its required following item`,
  ),
];

const callFaults = (item: JsonObject, where: string): Faults => [
  ...unless(
    !isBlank(item.call_id) && String(item.call_id).length <= ID_MAX,
    `${where}: the id is too long, or blank`,
  ),
  ...unless(isToolName(item.name, NAME_MAX), `${where}: the name is not valid`),
  ...unless(
    item.type === 'custom_tool_call' ? typeof item.input === 'string' : isObjectJson(item.arguments),
    `${where}: the arguments are not what its tool takes`,
  ),
];

const contentFaults = (content: unknown, where: string): Faults => {
  if (typeof content === 'string') return unless(!isBlank(content), `${where}: blank content`);
  const parts = listOf(content).map(objectOf);
  return [
    ...unless(parts.length > 0, `${where}: no content`),
    ...parts.flatMap((part, at) => {
      const members = PARTS[String(part.type)];
      if (!members) return [`${where}.${at}: has the type ${part.type}`];
      const url = String(part.image_url ?? '');
      const isImage =
        part.file_id !== undefined || /^(https?:\/\/|data:image\/[a-z]+;base64,[A-Za-z0-9+/])/.test(url);
      return [
        ...extraMembers(`${where}.${at}`, part, ['type', ...members]),
        ...unless(part.type !== 'input_text' || !isBlank(part.text), `${where}.${at}: blank text`),
        ...unless(part.type !== 'input_image' || isImage, `${where}.${at}: no image`),
      ];
    }),
  ];
};

/** Each call has one output, after it and before other messages; calls of the last step may lack theirs. */
const pairFaults = (input: readonly JsonObject[]): Faults => {
  const calls = input.filter(isCall).map(({ call_id: id }) => id);
  const outputs = input.filter(isOutput).map(({ call_id: id }) => id);
  const lastSaid = input.findLastIndex((item) => isOutput(item) || item.role === 'user');
  return [
    ...repeatedIn(calls).map((id) => `input: the call id ${id} twice`),
    ...repeatedIn(outputs).map((id) => `input: two outputs of ${id}`),
    ...input.flatMap((item, at) => {
      if (isOutput(item)) {
        const call = input.slice(0, at).find((other) => isCall(other) && other.call_id === item.call_id);
        return unless(
          call !== undefined && item.type === `${call.type}_output`,
          `input.${at}: No tool call found for function call output with call_id ${item.call_id}`,
        );
      }
      return unless(
        !isCall(item) || outputs.includes(item.call_id) || at > lastSaid,
        `input.${at}: No tool output found for function call ${item.call_id}`,
      );
    }),
  ];
};

const undeclared = (input: readonly JsonObject[], tools: unknown): Faults => {
  const declared: readonly unknown[] = listOf(tools).map((tool) => objectOf(tool).name);
  return input
    .filter((item) => isCall(item) && !declared.includes(item.name))
    .map(({ name }) => `tools: ${name} is not declared`);
};

const isCall = ({ type }: JsonObject): boolean => type === 'function_call' || type === 'custom_tool_call';
const isOutput = ({ type }: JsonObject): boolean =>
  type === 'function_call_output' || type === 'custom_tool_call_output';

const isObjectJson = (text: unknown): boolean => {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};
