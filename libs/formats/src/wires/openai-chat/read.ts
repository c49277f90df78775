import { type Block, type Role, type ToolUseBlock, textBlock } from '@app/domain';
import { isJsonObject, isModelName, type Json, type JsonObject, MODEL_NAME_RULE } from '@app/kernel';
import { contentBlocks, textBlocks } from '../../drafts/content-blocks.js';
import { listIn, objectIn, stringIn } from '../../drafts/members.js';
import { inputOf } from '../arguments.js';
import { essenceOf, wordsOf } from '../essence.js';
import { oncePerItem } from '../once-per-item.js';
import { openAiError } from '../openai-error.js';
import { keepingOriginal } from '../original.js';
import { outputWishIn } from '../output-length.js';
import { systemFormOf } from '../system-form.js';
import type { ClientMessage, ClientRequest, WireRefusal } from '../wire.js';
import { blockOfPart } from './convert-part.js';
import { chatItems } from './items.js';

/** A request of `POST /v1/chat/completions`. */
export const readChat = (body: JsonObject): ClientRequest | WireRefusal => {
  const model = stringIn(body, 'model');
  if (model === undefined) return refused('you must provide a model parameter', 'model');
  if (!isModelName(model)) return refused(`model: it takes ${MODEL_NAME_RULE}`, 'model');
  const given = listIn(body, 'messages');
  if (!given?.every(isJsonObject))
    return refused("Invalid type for 'messages': expected an array of objects", 'messages');
  const head = given.findIndex((item) => !isSystem(item));
  const first = head < 0 ? given.length : head;
  const messages: ClientMessage[] = [];
  for (const [at, item] of given.entries()) {
    if (at < first) continue;
    const message = readMessage(item, at);
    if (!message) return refused(`Invalid value: 'messages[${at}]'`, `messages[${at}]`);
    messages.push(message);
  }
  return {
    model,
    system: given
      .slice(0, first)
      .map(({ content }) => textOf(content))
      .join('\n\n'),
    ...systemFormOf(given.slice(0, first), false),
    tools: toolsOf(body),
    isStream: body.stream === true,
    items: given,
    messages,
    isManaged: false,
    output: outputWishIn('openai-chat', body),
  };
};

const readMessage = oncePerItem((item, at): ClientMessage | undefined => {
  const message = chatMessage(item);
  if (!message) return undefined;
  const { role, blocks } = message;
  return { role, blocks, says: [() => essenceOf(role, blocks)], from: at, to: at + 1 };
});

/** Clients that know no tools name functions. */
const toolsOf = (body: JsonObject): readonly JsonObject[] => [
  ...(listIn(body, 'tools') ?? []).filter(isJsonObject),
  ...(listIn(body, 'functions') ?? [])
    .filter(isJsonObject)
    .map((called) => ({ type: 'function', function: called })),
];

const refused = (message: string, param: string): WireRefusal => ({
  status: 400,
  body: openAiError({ status: 400, message, param }),
});

const isSystem = ({ role }: JsonObject): boolean => role === 'system' || role === 'developer';

const textOf = (content: Json | undefined): string =>
  (contentBlocks(content, blockOfPart) ?? [])
    .map((block) => (block.type === 'text' ? String(block.text) : ''))
    .join('\n');

/** Returns a chat message in the session's form; `undefined` if it is invalid. */
export const chatMessage = (
  item: JsonObject,
): { readonly role: Role; readonly blocks: readonly Block[] } | undefined => {
  switch (item.role) {
    case 'assistant':
      return kept('assistant', answerBlocks(item), item);
    case 'tool':
    case 'function':
      return { role: 'user', blocks: [resultBlock(item)] };
    case 'user':
      return kept('user', contentBlocks(item.content, blockOfPart) ?? [], item);
    case 'system':
    case 'developer':
      return kept('system', contentBlocks(item.content, blockOfPart) ?? [], item);
    default:
      return undefined;
  }
};

const kept = (role: Role, blocks: readonly Block[], item: JsonObject) => ({
  role,
  blocks: keepingOriginal(blocks, item, chatItems({ role, blocks })),
});

const answerBlocks = (item: JsonObject): readonly Block[] => {
  const reasoning = stringIn(item, 'reasoning_content') ?? stringIn(item, 'reasoning');
  const legacy = objectIn(item, 'function_call');
  return [
    ...(reasoning === undefined ? [] : [{ type: 'thinking', thinking: reasoning } as const]),
    ...(contentBlocks(item.content, blockOfPart) ?? []),
    ...textBlocks(stringIn(item, 'refusal') ?? ''),
    ...(listIn(item, 'tool_calls') ?? []).map((call) => callBlock(call)),
    ...(legacy ? [callBlock({ function: legacy })] : []),
  ];
};

const callBlock = (call: Json): Block => {
  const called = isJsonObject(call) && (objectIn(call, 'function') ?? objectIn(call, 'custom'));
  if (!called) return textBlock(wordsOf(call));
  const name = stringIn(called, 'name') ?? 'unknown';
  const id = (isJsonObject(call) && stringIn(call, 'id')) || name;
  const block: ToolUseBlock = {
    type: 'tool_use',
    id,
    name,
    input: inputOf(called.arguments ?? called.input),
  };
  return block;
};

const resultBlock = (item: JsonObject): Block => {
  const { content } = item;
  const parts = typeof content === 'string' ? content : contentBlocks(content, blockOfPart);
  const id = stringIn(item, 'tool_call_id') ?? stringIn(item, 'name') ?? 'unknown';
  const block: Block = {
    type: 'tool_result',
    tool_use_id: id,
    ...(parts !== undefined && { content: parts }),
  };
  return keepingOriginal([block], item, chatItems({ role: 'user', blocks: [block] }))[0] ?? block;
};
