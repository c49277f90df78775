import { type Block, blockFrom, type ToolUseBlock, textBlock } from '@app/domain';
import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import type { CallLedger } from '../drafts/call-ledger.js';
import { asText, isShallow, textBlocks } from '../drafts/content-blocks.js';
import { objectIn, stringIn } from '../drafts/members.js';

/** Returns the content of a message (a text, a part, or a list) as blocks; `undefined` without content. */
export const partBlocks = (content: Json | undefined, calls: CallLedger): readonly Block[] | undefined => {
  if (content === undefined || content === null || !isShallow(content)) return undefined;
  const parts: readonly Json[] = Array.isArray(content) ? content : [content];
  return parts.flatMap((part) => blocksOfPart(part, calls));
};

const blocksOfPart = (part: Json, calls: CallLedger): readonly Block[] => {
  if (typeof part === 'string') return textBlocks(part);
  if (!isJsonObject(part)) return [asText(part)];
  const signature = stringIn(part, 'thoughtSignature');
  if (part.thought === true) return [thinking(stringIn(part, 'text') ?? '', signature)];
  const blocks = saidBlocks(part, calls);
  // The signature of a text or a call belongs to the reasoning before it.
  return signature === undefined ? blocks : [thinking('', signature), ...blocks];
};

const thinking = (text: string, signature: string | undefined): Block => ({
  type: 'thinking',
  thinking: text,
  ...(signature !== undefined && { signature }),
});

const saidBlocks = (part: JsonObject, calls: CallLedger): readonly Block[] => {
  if (typeof part.text === 'string') return textBlocks(part.text);
  const call = objectIn(part, 'functionCall');
  if (call) return [callBlock(call, calls) ?? asText(part)];
  const response = objectIn(part, 'functionResponse');
  if (response) {
    const name = stringIn(response, 'name');
    return [resultBlock(calls.close(stringIn(response, 'id'), name), [part], undefined)];
  }
  return [mediaBlock(part) ?? asText(part)];
};

/** Returns a tool call; `undefined` without a name. */
export const callBlock = (call: JsonObject, calls: CallLedger): ToolUseBlock | undefined => {
  const name = stringIn(call, 'name');
  if (name === undefined) return undefined;
  return {
    type: 'tool_use',
    id: calls.open(name, stringIn(call, 'id')),
    name,
    input: objectIn(call, 'args') ?? {},
  };
};

/** Returns the result of a tool: the function response, and parts beside it, such as an image. */
export const resultBlock = (id: string, parts: readonly Json[], status: string | undefined): Block => {
  const found = parts.flatMap(answerParts);
  const isError = found.some(({ isError: failed }) => failed) || status === 'error' || status === 'cancelled';
  const blocks = found.map(({ block }) => block);
  const [only, ...more] = blocks;
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: only?.type === 'text' && more.length === 0 ? String(only.text) : blocks,
    ...(isError && { is_error: true }),
  };
};

type AnswerPart = { readonly block: Block; readonly isError: boolean };

const answerParts = (part: Json): readonly AnswerPart[] => {
  if (typeof part === 'string') return [{ block: textBlock(part), isError: false }];
  if (!isJsonObject(part)) return [{ block: asText(part), isError: false }];
  const answer = objectIn(part, 'functionResponse');
  if (!answer) {
    const block = mediaBlock(part) ?? (typeof part.text === 'string' ? textBlock(part.text) : asText(part));
    return [{ block, isError: false }];
  }
  const beside = Array.isArray(answer.parts) ? answer.parts.flatMap(answerParts) : [];
  return [answerOf(objectIn(answer, 'response') ?? {}), ...beside];
};

/** Returns a single text under the API's name as text, anything else as JSON. */
const answerOf = (response: JsonObject): AnswerPart => {
  const [[name, value] = [], ...more] = Object.entries(response);
  const isError = name === 'error';
  if (typeof value === 'string' && more.length === 0 && (name === 'output' || isError)) {
    return { block: textBlock(value), isError };
  }
  return { block: asText(response), isError };
};

const mediaBlock = (part: JsonObject): Block | undefined => {
  const inline = objectIn(part, 'inlineData');
  const file = objectIn(part, 'fileData');
  const type = stringIn(inline ?? file ?? {}, 'mimeType') ?? 'application/octet-stream';
  const kind = type.startsWith('image/') ? 'image' : 'document';
  if (inline && typeof inline.data === 'string') {
    return blockFrom({ type: kind, source: { type: 'base64', media_type: type, data: inline.data } });
  }
  if (file && typeof file.fileUri === 'string') {
    return blockFrom({ type: kind, source: { type: 'url', url: file.fileUri } });
  }
  return undefined;
};
