import { type Block, blockFrom, textBlock } from '@app/domain';
import { defined, isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { asText, isShallow, textBlocks } from '../drafts/content-blocks.js';
import type { DraftMessage } from '../drafts/draft.js';
import { asInserted } from '../drafts/inserted.js';
import { listIn, modelNameIn, objectIn, stringIn, timeFrom } from '../drafts/members.js';
import { inputOf } from '../wires/arguments.js';
import { readItem } from '../wires/openai-responses/blocks.js';
import type { Assets } from './assets.js';
import { asTold, type UserCalls } from './user-calls.js';

/** State from other events of the log. */
type Beside = { readonly assets: Assets; readonly userCalls: UserCalls };

/** An event as a message: `undefined` for one that no model was shown, and `'unusable'` for one that is broken. */
export const messageOfCopilot = (
  event: JsonObject,
  beside: Beside,
): DraftMessage | 'unusable' | undefined => {
  const data = objectIn(event, 'data') ?? {};
  const convert = CONVERSIONS.get(String(event.type));
  if (convert === undefined) return undefined;
  const message = isShallow(data) ? convert(data, beside) : undefined;
  if (message === undefined) return 'unusable';
  const id = stringIn(event, 'id');
  const createdAt = timeFrom(event.timestamp);
  return { ...message, ...defined({ id, createdAt }) };
};

type Convert = (data: JsonObject, beside: Beside) => DraftMessage | undefined;

const userMessage: Convert = (data, { assets }) => {
  // The text as sent to the model, harness text included.
  const text = stringIn(data, 'transformedContent') ?? data.content;
  if (typeof text !== 'string') return undefined;
  const attached = (listIn(data, 'attachments') ?? []).flatMap((one) => attachedBlocks(one, text, assets));
  return { role: 'user', blocks: [...partedBy(text, stringIn(data, 'content')), ...asInserted(attached)] };
};

/** Returns the text in up to three blocks: harness text before, user text, harness text after. */
const partedBy = (text: string, own: string | undefined): readonly Block[] => {
  const at = own === undefined || own.trim() === '' ? -1 : text.indexOf(own);
  if (own === undefined || at < 0) return textBlocks(text);
  const [before, behind] = [text.slice(0, at), text.slice(at + own.length)];
  const around = (part: string): readonly Block[] => (part.trim() === '' ? [] : asInserted(textBlocks(part)));
  return [...around(before), ...textBlocks(own), ...around(behind)];
};

/** Files and folders are named in the text; only content stored in the log is attached. */
const attachedBlocks = (attachment: Json, text: string, assets: Assets): readonly Block[] => {
  if (!isJsonObject(attachment)) return [];
  const isSent = attachment.type === 'blob' || stringIn(attachment, 'assetId') !== undefined;
  if (isSent) return [assets.blockOf(attachment) ?? asText(attachment)];
  const selected = attachment.type === 'selection' ? stringIn(attachment, 'text') : undefined;
  return selected === undefined || text.includes(selected) ? [] : [textBlock(selected)];
};

const answer: Convert = (data) => {
  if (typeof data.content !== 'string' && !Array.isArray(data.toolRequests)) return undefined;
  const model = modelNameIn(data);
  const { outputTokens } = data;
  return {
    role: 'assistant',
    blocks: [
      ...reasoning(data),
      ...textBlocks(stringIn(data, 'content') ?? ''),
      ...(listIn(data, 'toolRequests') ?? []).map(callBlock),
    ],
    ...(model !== undefined && { model }),
    ...(typeof outputTokens === 'number' &&
      Number.isSafeInteger(outputTokens) &&
      outputTokens >= 0 && { usage: { ...(model !== undefined && { model }), ...NO_INPUT, outputTokens } }),
  };
};
/** The log has output tokens only. */
const NO_INPUT = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

const callBlock = (request: Json): Block => {
  const id = isJsonObject(request) ? stringIn(request, 'toolCallId') : undefined;
  const name = isJsonObject(request) ? stringIn(request, 'name') : undefined;
  if (!isJsonObject(request) || id === undefined || name === undefined) return asText(request);
  const { arguments: given } = request;
  return { type: 'tool_use', id, name, input: isJsonObject(given) ? given : inputOf(given) };
};

const result: Convert = (data, { assets, userCalls }) => {
  const id = stringIn(data, 'toolCallId');
  if (id === undefined) return undefined;
  const failed = data.success === false;
  const content = resultContent(data, failed, assets);
  const asked = userCalls.take(id);
  if (asked !== undefined) return { role: 'user', blocks: asInserted(asTold(asked, content)) };
  return {
    role: 'user',
    blocks: [{ type: 'tool_result', tool_use_id: id, content, ...(failed && { is_error: true }) }],
  };
};

const resultContent = (data: JsonObject, failed: boolean, assets: Assets): string | readonly Block[] => {
  const found = objectIn(data, 'result') ?? {};
  const text = stringIn(data, 'result') ?? stringIn(found, 'content') ?? (failed ? failureOf(data) : '');
  const sent = (listIn(found, 'binaryResultsForLlm') ?? []).filter(isJsonObject);
  const media =
    sent.length > 0
      ? sent.map((part) => assets.blockOf(part) ?? asText(part))
      : (listIn(found, 'contents') ?? []).flatMap((part) =>
          isJsonObject(part) ? (assets.blockOf(objectIn(part, 'resource') ?? part) ?? []) : [],
        );
  return media.length === 0 ? text : [...textBlocks(text), ...media];
};

const failureOf = ({ error }: JsonObject): string =>
  typeof error === 'string' ? error : isJsonObject(error) ? (stringIn(error, 'message') ?? '') : '';

const system: Convert = ({ content }) =>
  typeof content === 'string' ? { role: 'system', blocks: textBlocks(content) } : undefined;

/** Notifications of the agent in the user's place, such as the end of a background command. */
const notification: Convert = ({ content }) =>
  typeof content === 'string' ? { role: 'user', blocks: asInserted(textBlocks(content)) } : undefined;

const CONVERSIONS: ReadonlyMap<string, Convert> = new Map([
  ['user.message', userMessage],
  ['assistant.message', answer],
  ['tool.execution_complete', result],
  ['system.message', system],
  ['system.notification', notification],
]);

/** Returns the reasoning of an answer: the provider's blocks if the log has them, else text and opaque part. */
const reasoning = (data: JsonObject): readonly Block[] => {
  const blocks = (listIn(objectIn(data, 'reasoningBlocks') ?? {}, 'blocks') ?? []).flatMap(nativeBlock);
  if (blocks.length > 0) return blocks;
  const text = stringIn(data, 'reasoningText');
  const signature = stringIn(data, 'reasoningOpaque') ?? stringIn(data, 'encryptedContent');
  if (text === undefined && signature === undefined) return [];
  return [{ type: 'thinking', thinking: text ?? '', ...(signature !== undefined && { signature }) }];
};

/** Anthropic's block, or OpenAI's item. */
const nativeBlock = (native: Json): readonly Block[] => {
  if (!isJsonObject(native)) return [];
  if (native.type === 'reasoning') return readItem(native).blocks;
  const isReasoning = native.type === 'thinking' || native.type === 'redacted_thinking';
  return isReasoning ? [blockFrom(native)].filter((block) => block !== undefined) : [];
};
