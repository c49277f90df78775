import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isJsonObject, type JsonObject } from '@app/kernel';
import { listOf, objectOf } from '../provider-rules/values.js';
import { type Fact, factOf } from './fact.js';
import { piFacts } from './read-pi.js';

/** Reads a single-session file in the most direct way, without the product's code. Its folder determines its kind. */
export const factsOfFile = (file: string): readonly Fact[] => {
  const text = readFileSync(file, 'utf8');
  const kind = basename(dirname(file));
  switch (kind) {
    case 'claude-code':
      return claudeCodeFacts(queuedIn(recordsOf(text)));
    case 'pi':
      return recordsOf(text).flatMap(piFacts);
    case 'anthropic-lines':
      return recordsOf(text).flatMap(anthropicFacts);
  }
  const document: unknown = JSON.parse(text);
  const around = objectOf(document);
  const messages = listOf(around.messages ?? around.history ?? document).map(objectOf);
  return kind === 'openai-messages' ? openAiFacts(messages) : messages.flatMap(anthropicFacts);
};

/** Returns the lines that are JSON. */
const recordsOf = (text: string): readonly JsonObject[] =>
  text.split('\n').flatMap((line) => {
    try {
      return [objectOf(JSON.parse(line))];
    } catch {
      return [];
    }
  });

/** Messages taken from the queue while the model works; recorded files contain them nowhere else. */
const queuedIn = (records: readonly JsonObject[]): readonly JsonObject[] => {
  const waiting: unknown[] = [];
  return records.map((record, at) => {
    if (record.type !== 'queue-operation') return record;
    if (record.operation === 'enqueue') waiting.push(record.content);
    const content = record.operation === 'enqueue' ? undefined : waiting.shift();
    if (record.operation !== 'remove') return record;
    return { type: 'user', uuid: `queued-${at}`, message: { role: 'user', content: String(content) } };
  });
};

/** Removes duplicate records, duplicate blocks of a response, and duplicate results. */
const claudeCodeFacts = (records: readonly JsonObject[]): readonly Fact[] => {
  const seen = new Set<string>();
  const isNew = (key: string): boolean => !seen.has(key) && seen.add(key).has(key);
  return records
    .filter(({ type, isCompactSummary }) => type === 'assistant' || (type === 'user' && !isCompactSummary))
    .filter(({ uuid }) => isNew(String(uuid)))
    .flatMap((record) => {
      const message = objectOf(record.message);
      const mayRepeat = ({ role, kind }: Fact): boolean => role === 'user' && kind !== 'tool_result';
      return anthropicFacts(message).filter(
        (fact) => mayRepeat(fact) || isNew(`${record.type} ${message.id} ${fact.value}`),
      );
    });
};

const anthropicFacts = ({ role, content }: JsonObject): readonly Fact[] =>
  (typeof content === 'string' ? texts(content) : listOf(content).map(objectOf)).map((block) =>
    factOf(String(role), block),
  );

const openAiFacts = (messages: readonly JsonObject[]): readonly Fact[] =>
  messages.flatMap((message) => {
    const { role, content, tool_call_id: id, tool_call_ids: ids, tool_calls: calls } = message;
    if (role === 'tool') {
      return [factOf('user', { type: 'tool_result', tool_use_id: id ?? idFrom(ids), content })];
    }
    const { reasoning_content: reasoning } = message;
    return [
      ...(typeof reasoning === 'string' ? [{ type: 'thinking', thinking: reasoning }] : []),
      ...(typeof content === 'string' ? texts(content) : listOf(content).map(fromPart)),
      ...listOf(calls).map(fromCall),
    ].map((block) => factOf(String(role), block));
  });

const idFrom = (ids: unknown): string => String(listOf(ids)[0]);

const fromPart = (part: unknown): JsonObject => {
  const { type, image_url: image } = objectOf(part);
  if (type !== 'image_url') return objectOf(part);
  const [, media, data] = /^data:([^;]*);base64,(.*)$/s.exec(String(objectOf(image).url)) ?? [];
  return { type: 'image', source: { type: 'base64', media_type: media, data } };
};

const fromCall = (call: unknown): JsonObject => {
  const { id, function: named } = objectOf(call);
  const { name, arguments: given } = objectOf(named);
  const input: unknown = typeof given === 'string' ? JSON.parse(given) : given;
  return { type: 'tool_use', id, name, input: isJsonObject(input) ? input : {} };
};

const texts = (text: string): readonly JsonObject[] => (text === '' ? [] : [{ type: 'text', text }]);
