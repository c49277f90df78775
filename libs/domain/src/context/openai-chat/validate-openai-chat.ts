import { isJsonObject, type JsonObject } from '@app/kernel';
import { isBlankText, type Violation } from '../violation.js';
import type { OpenAiChatRequest } from './openai-chat-request.js';

/**
 * Returns the violations of the rules of OpenAI's chat completions: tool messages follow their
 * calls directly, except for calls in the last message.
 */
export const validateOpenAiChat = ({ messages }: OpenAiChatRequest): readonly Violation[] => {
  const found: Violation[] = [];
  const report = (rule: string, at: number): void => void found.push({ rule, at });
  const ids = new Set<string>();
  let waiting = new Set<string>();
  if (messages.every(({ role }) => role === 'system')) report('at least one message is required', 0);

  for (let at = 0; at < messages.length; at += 1) {
    const message = messages[at];
    if (!message) continue;
    if (message.role === 'tool') {
      const id = String(message.tool_call_id);
      if (!waiting.delete(id)) report('a tool message that answers no call right before it', at);
      if (isBlankText(message.content)) report('a tool message without content', at);
      continue;
    }
    if (waiting.size > 0) report('a call without its tool message', at);
    const calls = callsOf(message);
    waiting = calls.length > 0 ? new Set(calls.map(({ id }) => String(id))) : NO_IDS;
    for (const id of waiting) {
      if (ids.has(id)) report('two calls with one id', at);
      if (id.length === 0 || id.length > 40)
        report('a call id that is empty or longer than 40 characters', at);
      ids.add(id);
    }
    if (waiting.size < calls.length) report('two calls with one id', at);
    if (isEmpty(message) && calls.length === 0) report('a message without content', at);
  }
  const last = messages.at(-1);
  if (waiting.size > 0 && last?.role === 'tool')
    report('a call without its tool message', messages.length - 1);
  return found;
};

const callsOf = (message: JsonObject): readonly JsonObject[] =>
  Array.isArray(message.tool_calls) ? message.tool_calls.filter(isJsonObject) : NO_CALLS;
const NO_CALLS: readonly JsonObject[] = [];
/** Shared and always empty: the code only deletes from the set. */
const NO_IDS = new Set<string>();

const isEmpty = ({ content }: JsonObject): boolean => {
  if (!Array.isArray(content)) return isBlankText(content);
  return (
    content.length === 0 ||
    content.some((part) => isJsonObject(part) && part.type === 'text' && isBlankText(part.text))
  );
};
