import { isJsonObject, isModelName, type Json, type JsonObject, MODEL_NAME_RULE } from '@app/kernel';
import { contentBlocks } from '../../drafts/content-blocks.js';
import { listIn, objectIn, stringIn } from '../../drafts/members.js';
import { essenceOf } from '../essence.js';
import { oncePerItem } from '../once-per-item.js';
import { outputWishIn } from '../output-length.js';
import type { ClientMessage, ClientRequest, WireRefusal } from '../wire.js';
import { anthropicError } from './error.js';

/** A request of `POST /v1/messages`, or of `count_tokens`. */
export const readAnthropic = (body: JsonObject): ClientRequest | WireRefusal => {
  // A thread keeps the history at the provider: this code makes the client send it in full.
  if (body.thread !== undefined && body.thread !== null) {
    return refused('threads are not supported here: send the whole history', 'thread_unsupported_request');
  }
  const model = stringIn(body, 'model');
  if (model === undefined) return refused('model: Field required');
  if (!isModelName(model)) return refused(`model: String should be ${MODEL_NAME_RULE}`);
  const given = listIn(body, 'messages');
  if (!given?.every(isJsonObject)) return refused('messages: Input should be a valid list');
  const messages: ClientMessage[] = [];
  for (const [at, item] of given.entries()) {
    const message = messageOf(item, at);
    if (!message) return refused(`messages.${at}: Input should be a valid message`);
    messages.push(message);
  }
  return {
    model,
    system: systemOf(body.system),
    tools: (listIn(body, 'tools') ?? []).filter(isJsonObject),
    isStream: body.stream === true,
    items: given,
    messages,
    isManaged: isManaged(body, messages),
    output: outputWishIn('anthropic', body),
  };
};

const refused = (message: string, code?: string): WireRefusal => ({
  status: 400,
  body: anthropicError({ status: 400, message, ...(code !== undefined && { code }) }),
});

const messageOf = oncePerItem((item, at): ClientMessage | undefined => {
  const { role } = item;
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return undefined;
  const blocks = contentBlocks(item.content);
  if (!blocks) return undefined;
  return { role, blocks, says: [() => essenceOf(role, blocks)], from: at, to: at + 1 };
});

const systemOf = (system: Json | undefined): string => {
  if (typeof system === 'string') return system;
  if (!Array.isArray(system)) return '';
  const parts: readonly Json[] = system;
  return parts.flatMap((part) => (isJsonObject(part) ? (stringIn(part, 'text') ?? []) : [])).join('\n\n');
};

/** Returns whether the request enables clearing or compaction, or continues from a compaction. */
const isManaged = (body: JsonObject, messages: readonly ClientMessage[]): boolean =>
  (listIn(objectIn(body, 'context_management') ?? {}, 'edits') ?? []).some(leavesOut) ||
  isJsonObject(body.compaction) ||
  messages.some(({ blocks }) => blocks.some(({ type }) => String(type) === 'compaction'));

/**
 * Returns whether an edit removes content: all do except one that keeps all thinking, which some models drop by
 * default.
 */
const leavesOut = (edit: Json): boolean => {
  if (!isJsonObject(edit) || edit.type !== 'clear_thinking_20251015') return isJsonObject(edit);
  const kept = isJsonObject(edit.keep) ? edit.keep.type : edit.keep;
  return kept !== 'all';
};
