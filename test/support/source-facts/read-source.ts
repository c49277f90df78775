import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '@app/kernel';
import { listOf, objectOf } from '../provider-rules/values.js';
import { type Fact, factOf } from './fact.js';

/** A recorded file that holds one session, read in the most direct way, without any code of the product's. */
export const factsOfFile = (file: string): readonly Fact[] => {
  const text = readFileSync(file, 'utf8');
  if (file.includes('/claude-code/')) return claudeCodeFacts(recordsOf(text));
  if (file.includes('/pi/')) return recordsOf(text).flatMap(piFacts);
  const document: unknown = JSON.parse(text);
  const around = objectOf(document);
  const messages = listOf(around.messages ?? around.history ?? document).map(objectOf);
  return file.includes('/openai-messages/') ? openAiFacts(messages) : messages.flatMap(anthropicFacts);
};

const recordsOf = (text: string): readonly JsonObject[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => objectOf(JSON.parse(line)));

/** Records that come twice, and blocks that come twice within one response, are one. */
const claudeCodeFacts = (records: readonly JsonObject[]): readonly Fact[] => {
  const seen = new Set<string>();
  const isNew = (key: string): boolean => !seen.has(key) && seen.add(key).has(key);
  return records
    .filter(({ type }) => type === 'user' || type === 'assistant')
    .filter(({ uuid }) => isNew(String(uuid)))
    .flatMap((record) => {
      const message = objectOf(record.message);
      return anthropicFacts(message).filter(
        ({ role, value }) => role === 'user' || isNew(`${message.id} ${value}`),
      );
    });
};

const anthropicFacts = ({ role, content }: JsonObject): readonly Fact[] =>
  (typeof content === 'string' ? texts(content) : listOf(content).map(objectOf)).map((block) =>
    factOf(String(role), block),
  );

const piFacts = (record: JsonObject): readonly Fact[] => {
  if (record.type !== 'message') return [];
  const { role, content, toolCallId, isError } = objectOf(record.message);
  const blocks = typeof content === 'string' ? texts(content) : listOf(content).map(objectOf).map(fromPi);
  if (role !== 'toolResult') return blocks.map((block) => factOf(String(role), block));
  const result = { type: 'tool_result', tool_use_id: toolCallId, content: blocks, is_error: isError };
  return [factOf('user', result)];
};

const fromPi = (block: JsonObject): JsonObject => {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'thinking':
      return { type: 'thinking', thinking: block.thinking, signature: block.thinkingSignature };
    case 'toolCall':
      return { type: 'tool_use', id: block.id, name: block.name, input: block.arguments };
    default:
      return block;
  }
};

const openAiFacts = (messages: readonly JsonObject[]): readonly Fact[] =>
  messages.flatMap((message) => {
    const { role, content, tool_call_id: id, tool_call_ids: ids, tool_calls: calls } = message;
    if (role === 'tool') {
      const result = { type: 'tool_result', tool_use_id: id ?? listOf(ids)[0], content };
      return [factOf('user', objectOf(result))];
    }
    return [...texts(content), ...listOf(calls).map(fromCall)].map((block) => factOf(String(role), block));
  });

const fromCall = (call: unknown): JsonObject => {
  const { id, function: named } = objectOf(call);
  const { name, arguments: given } = objectOf(named);
  const input: unknown = typeof given === 'string' ? JSON.parse(given) : given;
  return { type: 'tool_use', id, name, input: isJsonObject(input) ? input : {} };
};

const texts = (content: unknown): readonly JsonObject[] =>
  typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : [];
