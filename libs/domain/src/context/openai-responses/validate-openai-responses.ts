import { isJsonObject, type Json, type JsonObject } from '@app/kernel';
import { isBlankText, type Violation } from '../violation.js';
import type { OpenAiResponsesRequest } from './openai-responses-request.js';

/**
 * Returns the violations of the rules of OpenAI's Responses API: outputs follow their calls,
 * every call has an output except in the last step, and reasoning is followed by the item that it led to.
 */
export const validateOpenAiResponses = ({ input }: OpenAiResponsesRequest): readonly Violation[] => {
  const found: Violation[] = [];
  const report = (rule: string, at: number): void => void found.push({ rule, at });
  const waiting = new Map<string, number>();
  const called = new Set<string>();
  if (input.every(({ role }) => role === 'developer')) report('at least one message is required', 0);

  for (let at = 0; at < input.length; at += 1) {
    const item = input[at];
    if (!item) continue;
    if (isOutput(item)) {
      if (!waiting.delete(String(item.call_id))) report('an output that answers no call before it', at);
      if (isEmpty(item.output)) report('an output without content', at);
      continue;
    }
    if (isCall(item)) {
      const id = String(item.call_id);
      if (called.has(id)) report('two calls with one id', at);
      if (id.length === 0 || id.length > 64)
        report('a call id that is empty or longer than 64 characters', at);
      called.add(id);
      waiting.set(id, at);
    } else if (item.type === 'reasoning') {
      if (isBlankText(item.encrypted_content)) report('reasoning that is not encrypted', at);
      if (!isOfAssistant(input[at + 1])) report('reasoning that nothing follows', at);
    } else if (item.role !== undefined) {
      if (isEmpty(item.content)) report('a message without content', at);
    }
  }
  const lastStep = input.findLastIndex((item) => !isOfAssistant(item)) + 1;
  for (const at of waiting.values()) if (at < lastStep) report('a call without its output', at);
  return found;
};

const isCall = ({ type }: JsonObject): boolean => type === 'function_call' || type === 'custom_tool_call';
const isOutput = ({ type }: JsonObject): boolean =>
  type === 'function_call_output' || type === 'custom_tool_call_output';
const isOfAssistant = (item: JsonObject | undefined): boolean =>
  item !== undefined && !isOutput(item) && (item.role === undefined || item.role === 'assistant');

const isEmpty = (content: Json | undefined): boolean => {
  if (!Array.isArray(content)) return isBlankText(content);
  return (
    content.length === 0 ||
    content.some((part) => isJsonObject(part) && part.type === 'input_text' && isBlankText(part.text))
  );
};
