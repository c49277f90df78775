import {
  type Block,
  blocksOf,
  isImage,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  type Message,
} from '@palimpsest/client';
import { imageOf } from '../core/parts.js';

type Part = { readonly type: string; readonly [member: string]: unknown };
/** Structure of an `AgentMessage` of pi, with the members of all its kinds. */
export type PiMessage = {
  readonly role: string;
  readonly content?: string | readonly Part[];
  readonly toolCallId?: string;
  readonly isError?: boolean;
  /** Text of the kinds that pi turns into text of the user. */
  readonly summary?: string;
  readonly command?: string;
  readonly output?: string;
};

/** Converts a message of pi. */
export const fromPi = (message: PiMessage): readonly Message[] => {
  const { role, content = [], toolCallId = '', isError, summary, command, output = '' } = message;
  const blocks = typeof content === 'string' ? blocksOf(content) : content.map(blockOf);
  if (role === 'toolResult') {
    const result = {
      type: 'tool_result',
      tool_use_id: toolCallId,
      content: blocks,
      ...(isError && { is_error: true }),
    };
    return [{ role: 'user', content: [result] }];
  }
  const text = summary ?? (command === undefined ? undefined : `Ran \`${command}\`\n${output}`);
  const all = text === undefined ? blocks : blocksOf(text);
  return all.length === 0 ? [] : [{ role: role === 'assistant' ? 'assistant' : 'user', content: all }];
};

const blockOf = (part: Part): Block => {
  switch (part.type) {
    case 'toolCall':
      return { type: 'tool_use', ...{ id: part.id, name: part.name, input: part.arguments } };
    case 'image':
      return imageOf(String(part.mimeType), String(part.data));
    case 'thinking':
      return { type: 'thinking', ...{ thinking: part.thinking, signature: part.thinkingSignature } };
    default:
      return part;
  }
};

/**
 * Returns a function that converts a message of the service.
 *
 * @param like an answer of the same model, whose other members pi requires in each answer.
 */
export const piWriter =
  (like: object) =>
  ({ role, content }: Message, names: ReadonlyMap<string, string>): readonly PiMessage[] => {
    const blocks = blocksOf(content);
    const results = blocks
      .filter(isToolResult)
      .map(({ tool_use_id: toolCallId, content: output = '', is_error }) => ({
        ...{ role: 'toolResult', toolCallId, toolName: names.get(toolCallId) ?? '', timestamp: 0 },
        ...{ content: blocksOf(output).flatMap(partOf), isError: is_error === true },
      }));
    const parts = blocks.flatMap(partOf);
    if (parts.length === 0) return results;
    if (role !== 'assistant') return [...results, { role: 'user', content: parts, ...{ timestamp: 0 } }];
    return [...results, { ...like, role, content: parts }];
  };

const partOf = (block: Block): readonly Part[] => {
  if (isText(block)) return [{ type: 'text', text: block.text }];
  if (isToolUse(block)) return [{ type: 'toolCall', id: block.id, name: block.name, arguments: block.input }];
  if (isThinking(block))
    return [{ type: 'thinking', thinking: block.thinking, thinkingSignature: block.signature }];
  if (!isImage(block) || block.source.type !== 'base64') return [];
  return [{ type: 'image', data: block.source.data, mimeType: block.source.media_type }];
};
