import type { AgentInputItem, ModelResponse } from '@openai/agents';
import {
  type Answered,
  argumentsIn,
  type Block,
  blocksOf,
  fileOf,
  isImage,
  isText,
  isToolResult,
  isToolUse,
  type Message,
  resultText,
  urlOf,
  usageFrom,
} from '@palimpsest/client';
import { textIn } from '../core/parts.js';

/** Items that are one message of the session. */
export type Group = readonly AgentInputItem[];

/**
 * Groups the items of a history to messages. Reasoning belongs to the item that follows it, and the parallel calls of an answer
 * are one message: calls of two messages would be answered one after the other in the composed request.
 */
export const groupsOf = (items: readonly AgentInputItem[]): readonly Group[] => {
  const groups: AgentInputItem[][] = [];
  for (const item of items.toReversed()) {
    const next = groups.at(-1);
    if (next && (item.type === 'reasoning' || (isCall(item) && isCall(next[0])))) next.push(item);
    else groups.push([item]);
  }
  return groups.map((group) => group.reverse()).reverse();
};

const isCall = (item: AgentInputItem | undefined): boolean => item?.type === 'function_call';

/** Converts a group of items; results are the user's, and other items without a role the model's. An empty answer becomes none. */
export const messagesOf = (group: Group): readonly Message[] => {
  const { type, role = type === 'function_call_result' ? 'user' : 'assistant' } = group.at(-1) ?? {};
  const content = group.flatMap(blocksIn);
  return content.length === 0 ? [] : [{ role, content }];
};

const blocksIn = (item: AgentInputItem): readonly Block[] => {
  const { type = 'message', callId: id = '', name = '', content = [], output = '' } = item;
  switch (type) {
    case 'function_call':
      return [{ type: 'tool_use', id, name, input: argumentsIn(item.arguments ?? '') }];
    case 'function_call_result':
      return [{ type: 'tool_result', tool_use_id: id, content: partsOf(output) }];
    case 'reasoning':
      return [{ type: 'thinking', thinking: textIn(partsOf(content), '\n') }];
    case 'message':
      return partsOf(content);
    default:
      return [{ ...item, type }];
  }
};

/** Converts the parts of a message or result. */
const partsOf = (parts: NonNullable<AgentInputItem['content' | 'output']>): readonly Block[] => {
  if (typeof parts === 'string') return [{ type: 'text', text: parts }];
  return [parts].flat().map((part) => {
    const { text = part.refusal, image, file = image, filename } = part;
    if (text !== undefined) return { type: 'text', text };
    const { url = file }: { readonly url?: unknown } = Object(file);
    // A file that the provider keeps has an ID alone.
    return typeof url === 'string'
      ? fileOf(url, image === undefined ? undefined : 'image/*', filename)
      : part;
  });
};

/** Converts a message of the service; `names` are those of the called tools by the ID of the call. */
export const itemsOf = ({ role, content }: Message, names: ReadonlyMap<string, string>): Group => {
  const blocks = blocksOf(content);
  const status = 'completed';
  const results = blocks.filter(isToolResult).map((result) => {
    const { tool_use_id: callId } = result;
    const output = { type: 'text', text: resultText(result) };
    return { type: 'function_call_result', callId, name: names.get(callId) ?? '', status, output };
  });
  const calls = blocks.filter(isToolUse).map(({ id: callId, name, input }) => ({
    ...{ type: 'function_call', callId, name, arguments: JSON.stringify(input), status },
  }));
  const said = role === 'system' ? textIn(blocks) : blocks.flatMap(role === 'user' ? usersPart : answersPart);
  const message = { type: 'message', role, content: said, ...(role === 'assistant' && { status }) };
  return [...results, ...(said.length > 0 ? [message] : []), ...calls];
};

const answersPart = (block: Block): readonly Block[] =>
  isText(block) ? [{ type: 'output_text', ...{ text: block.text } }] : [];
const usersPart = (block: Block): readonly Block[] => {
  if (isImage(block)) return [{ type: 'input_image', ...{ image: urlOf(block) } }];
  return isText(block) ? [{ type: 'input_text', ...{ text: block.text } }] : [];
};

/** Groups of items as messages of the session. */
export const FORM = {
  read: messagesOf,
  write: (message: Message, names: ReadonlyMap<string, string>) => [itemsOf(message, names)],
};

/** Converts an answer with its usage, and the stop reason if it ends the turn. */
export const answerOf = ({ output, usage }: ModelResponse): Answered => {
  const { inputTokens: input, outputTokens, inputTokensDetails: details = [] } = usage;
  const cacheRead = [details].flat().reduce((sum, { cached_tokens = 0 }) => sum + cached_tokens, 0);
  const goesOn = output.some(({ type = '' }) => type.endsWith('_call'));
  return {
    messages: groupsOf(output).flatMap(messagesOf),
    usage: usageFrom({ input, cacheRead, output: outputTokens }),
    ...(!goesOn && { stopReason: 'completed' }),
  };
};
