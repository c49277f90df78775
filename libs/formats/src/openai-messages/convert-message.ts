import { type Block, blockFrom, type ToolResultBlock } from '@app/domain';
import type { JsonObject } from '@app/kernel';
import { defined } from '@app/kernel';
import { CallLedger } from '../drafts/call-ledger.js';
import { asText, contentBlocks, isShallow, textBlocks } from '../drafts/content-blocks.js';
import type { DraftMessage } from '../drafts/draft.js';
import { listIn, modelNameIn, objectIn, stringIn } from '../drafts/members.js';
import { blockOfCall, blockOfFunctionCall } from '../wires/openai-chat/convert-call.js';
import { blockOfPart } from '../wires/openai-chat/convert-part.js';

/**
 * Converts the messages of one session in order, so that results find their calls; `undefined` for an unusable
 * message. A result becomes a user message of its own, as in the transcript.
 */
export const openAiConverter = () => {
  const calls = new CallLedger();
  return (message: JsonObject): DraftMessage | undefined => {
    if (!isShallow(message)) return undefined;
    const { role, blocks } = converted(message, calls);
    if (role === undefined || blocks === undefined) return undefined;

    const id = stringIn(message, 'id');
    const model = modelNameIn(message);
    return { role, blocks, ...defined({ id, model }) };
  };
};

type Converted = { role?: DraftMessage['role']; blocks?: readonly Block[] | undefined };

const converted = (message: JsonObject, calls: CallLedger): Converted => {
  switch (message.role) {
    case 'assistant':
      return { role: 'assistant', blocks: answerBlocks(message, calls) };
    case 'tool':
    case 'function':
      return { role: 'user', blocks: [resultBlock(message, calls)] };
    case 'user':
      return { role: 'user', blocks: contentBlocks(message.content, blockOfPart) };
    case 'system':
    case 'developer':
      return { role: 'system', blocks: contentBlocks(message.content, blockOfPart) };
    default:
      return {};
  }
};

const answerBlocks = (message: JsonObject, calls: CallLedger): readonly Block[] => {
  const functionCall = objectIn(message, 'function_call');
  return [
    ...reasoning(message),
    ...(contentBlocks(message.content, blockOfPart) ?? []),
    ...textBlocks(stringIn(message, 'refusal') ?? ''),
    ...spoken(objectIn(message, 'audio')),
    ...(listIn(message, 'tool_calls') ?? []).map((call) => blockOfCall(call, calls) ?? asText(call)),
    ...(functionCall === undefined
      ? []
      : [blockOfFunctionCall(functionCall, undefined, calls) ?? asText(functionCall)]),
  ];
};

/** Returns Anthropic's own blocks if a router preserved them with signatures, else the text. */
const reasoning = (message: JsonObject): readonly Block[] => {
  const kept =
    listIn(message, 'thinking_blocks') ??
    listIn(objectIn(message, 'provider_specific_fields') ?? {}, 'thinking_blocks');
  const blocks = (kept ?? []).flatMap((block) => blockFrom(block) ?? []);
  if (blocks.length > 0) return blocks;
  const words = stringIn(message, 'reasoning_content') ?? stringIn(message, 'reasoning');
  return words === undefined ? [] : [{ type: 'thinking', thinking: words }];
};

/** Audio output is its transcript, else the provider's block. */
const spoken = (audio: JsonObject | undefined): readonly Block[] => {
  if (audio === undefined) return [];
  const words = textBlocks(stringIn(audio, 'transcript') ?? '');
  const native = blockFrom({ ...audio, type: 'audio' });
  return words.length > 0 || native === undefined ? words : [native];
};

const resultBlock = (message: JsonObject, calls: CallLedger): ToolResultBlock => {
  // SWE-agent lists the calls that an observation answers; it makes one at a time.
  const [listed] = listIn(message, 'tool_call_ids') ?? [];
  const ownId = stringIn(message, 'tool_call_id') ?? (typeof listed === 'string' ? listed : undefined);
  const { content } = message;
  const parts = typeof content === 'string' ? content : contentBlocks(content, blockOfPart);
  return {
    type: 'tool_result',
    tool_use_id: calls.close(ownId, stringIn(message, 'name')),
    ...(parts !== undefined && { content: parts }),
  };
};
