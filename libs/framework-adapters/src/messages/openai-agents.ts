import type { AgentInputItem, ModelResponse } from '@openai/agents';
import {
  type Answered,
  argumentsIn,
  type Block,
  blocksOf,
  isImage,
  isText,
  isToolResult,
  isToolUse,
  type Message,
  resultText,
} from '@palimpsest/client';

/**
 * Groups the items of a history to messages. Reasoning belongs to the item that follows it, and the parallel calls of an answer
 * are one message: calls of two messages would be answered one after the other in the composed request.
 */
export const groupsOf = (items: readonly AgentInputItem[]): readonly (readonly AgentInputItem[])[] => {
  const groups: AgentInputItem[][] = [];
  let group: AgentInputItem[] = [];
  for (const item of items) {
    group.push(item);
    if (item.type === 'reasoning') continue;
    const last = groups.at(-1);
    if (isCall(item) && last?.every((one) => isCall(one) || one.type === 'reasoning')) last.push(...group);
    else groups.push(group);
    group = [];
  }
  return group.length > 0 ? [...groups, group] : groups;
};

const isCall = ({ type }: AgentInputItem): boolean => type === 'function_call';

/** Converts a group of items. */
export const messageOf = (group: readonly AgentInputItem[]): Message => {
  const content = group.flatMap(blocksIn);
  const { role, type = 'message' } = group.at(-1) ?? {};
  if (type === 'function_call_result') return { role: 'user', content };
  if (type !== 'message' || role === 'assistant') return { role: 'assistant', content };
  return { role: role === 'system' ? 'system' : 'user', content };
};

const blocksIn = (item: AgentInputItem): readonly Block[] => {
  const { type = 'message', callId = '', name = '', content = [], output = '' } = item;
  switch (type) {
    case 'function_call':
      return [{ type: 'tool_use', ...{ id: callId, name, input: argumentsIn(item.arguments ?? '') } }];
    case 'function_call_result':
      return [{ type: 'tool_result', ...{ tool_use_id: callId, content: partsOf(output) } }];
    case 'reasoning':
      return [
        {
          type: 'thinking',
          thinking: partsOf(content)
            .map(({ text = '' }) => text)
            .join('\n'),
        },
      ];
    case 'message':
      return partsOf(content);
    default:
      return [{ ...item, type }];
  }
};

type Part = {
  readonly type: string;
  readonly text?: string;
  readonly refusal?: string;
  readonly image?: unknown;
};
/** Converts the parts of a message or result. */
const partsOf = (parts: string | Part | readonly Part[]): readonly (Block & { readonly text?: string })[] => {
  if (typeof parts === 'string') return [{ type: 'text', text: parts }];
  const all = 'type' in parts ? [parts] : parts;
  return all.map((part) => {
    const { text = part.refusal, image } = part;
    if (text !== undefined) return { type: 'text', text };
    return typeof image === 'string' ? { type: 'image', source: { type: 'url', url: image } } : part;
  });
};

/** Converts a message of the service; `names` are those of the called tools by the ID of the call. */
export const itemsOf = (
  { role, content }: Message,
  names: ReadonlyMap<string, string>,
): readonly AgentInputItem[] => {
  const blocks = blocksOf(content);
  const results = blocks.filter(isToolResult).map((result) => {
    const { tool_use_id: callId } = result;
    const output = { type: 'text', text: resultText(result) };
    return {
      type: 'function_call_result',
      callId,
      name: names.get(callId) ?? '',
      status: 'completed',
      output,
    };
  });
  const calls = blocks.filter(isToolUse).map(({ id: callId, name, input }) => ({
    ...{ type: 'function_call', callId, name, arguments: JSON.stringify(input), status: 'completed' },
  }));
  return [...results, ...spoken(role, blocks), ...calls];
};

const spoken = (role: Message['role'], blocks: readonly Block[]): readonly AgentInputItem[] => {
  const texts = blocks.filter(isText).map(({ text }) => text);
  if (role === 'system') return texts.length === 0 ? [] : [{ role, content: texts.join('\n\n') }];
  if (role === 'assistant') {
    const content = texts.map((text) => ({ type: 'output_text', text }));
    return content.length === 0 ? [] : [{ type: 'message', role, status: 'completed', content }];
  }
  const images = blocks.filter(isImage).map(({ source }) => ({
    type: 'input_image',
    image: source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`,
  }));
  const content = [...texts.map((text) => ({ type: 'input_text', text })), ...images];
  return content.length === 0 ? [] : [{ type: 'message', role, content }];
};

/** Converts an answer with its usage, and the stop reason if it ends the turn. */
export const answerOf = ({ output, usage }: ModelResponse): Answered => {
  const { inputTokens, outputTokens, inputTokensDetails: details = [] } = usage;
  const cached = [details].flat().reduce((sum, { cached_tokens = 0 }) => sum + cached_tokens, 0);
  const goesOn = output.some(({ type = '' }) => type.endsWith('_call'));
  return {
    messages: groupsOf(output).map(messageOf),
    usage: {
      inputTokens: Math.max(0, inputTokens - cached),
      ...{ cacheReadTokens: cached, cacheWriteTokens: 0, outputTokens },
    },
    ...(!goesOn && { stopReason: 'completed' }),
  };
};
