import type { JsonObject } from '@app/kernel';
import { listOf, objectOf } from '../provider-rules/values.js';
import type { Said } from './conversations.js';

/** A line truncated by a crash; readers skip it. */
const BROKEN = '{"type":"assistant","message":{"role":"assist';
const BROKEN_EVERY = 7;

/** Writers of transcript files, by the folder name of their kind. */
export const WRITERS: Readonly<Record<string, (said: readonly Said[], name: string) => string>> = {
  'claude-code': (said, name) => lines(said.flatMap((one, at) => claudeCodeRecords(one, at, name))),
  pi: (said, name) => lines([piHeader(name), ...said.flatMap(piRecords)]),
  'anthropic-messages': (said) =>
    JSON.stringify({ model: 'claude-sonnet-4-5', system: 'Be brief.', max_tokens: 1_000, messages: said }),
  'anthropic-lines': (said) => lines(said),
  'openai-messages': (said) => JSON.stringify({ model: 'gpt-5', messages: said.flatMap(openAiMessages) }),
};

const lines = (records: readonly object[]): string =>
  records
    .flatMap((record, at) => [JSON.stringify(record), ...(at % BROKEN_EVERY === 4 ? [BROKEN] : [])])
    .map((line) => `${line}\n`)
    .join('');

/** One record per block of a response, as Claude Code writes them; other messages are one record. */
const claudeCodeRecords = ({ role, content }: Said, at: number, session: string): readonly object[] => {
  const parts = role === 'assistant' ? content.map((block) => [block]) : [content];
  return parts.map((blocks, part) => ({
    type: role,
    uuid: `${session}-${at}-${part}`,
    parentUuid: null,
    sessionId: session,
    timestamp: '2026-11-20T10:00:00.000Z',
    message: {
      role,
      content: blocks,
      ...(role === 'assistant' && { id: `msg_${at}`, model: 'claude-opus-4-1' }),
    },
  }));
};

const piHeader = (name: string): object => ({
  type: 'session',
  id: name,
  cwd: '/somewhere',
  timestamp: '2026-11-20T10:00:00.000Z',
});

/** In pi each result is a separate message. */
const piRecords = ({ role, content }: Said): readonly object[] => {
  const timestamp = '2026-11-20T10:00:00.000Z';
  const record = (message: object): object => ({ type: 'message', timestamp, message });
  const others = content.filter(({ type }) => type !== 'tool_result').map(toPi);
  const results = content.filter(({ type }) => type === 'tool_result' && role === 'user');
  return [
    ...results.map(({ tool_use_id: toolCallId, content: parts, is_error: isError }) =>
      record({
        role: 'toolResult',
        toolCallId,
        content: Array.isArray(parts) ? parts.map(toPi) : parts,
        isError,
      }),
    ),
    ...(others.length > 0 ? [record({ role, content: others })] : []),
  ];
};

const toPi = (block: unknown): JsonObject => {
  const { type, id, name, input, thinking, signature, source } = objectOf(block);
  switch (type) {
    case 'tool_use':
      return { type: 'toolCall', id, name, arguments: input };
    case 'thinking':
      return { type, thinking, ...(signature !== undefined && { thinkingSignature: signature }) };
    case 'image':
      return { type, data: objectOf(source).data, mimeType: objectOf(source).media_type };
    default:
      return objectOf(block);
  }
};

/** OpenAI's form cannot express most oddities, which are omitted from the file. */
const openAiMessages = ({ role, content }: Said): readonly object[] => {
  const texts = content.filter(({ type }) => type === 'text').map(({ text }) => ({ type: 'text', text }));
  const images = content
    .filter(({ type }) => type === 'image')
    .map(({ source }) => imageUrl(objectOf(source)));
  const results = content.filter(({ type }) => type === 'tool_result');
  const parts = role === 'user' ? [...texts, ...images] : texts;
  const answers = results.map(({ tool_use_id: id, content: given }) => ({
    role: 'tool',
    tool_call_id: id,
    content:
      typeof given === 'string'
        ? given
        : listOf(given)
            .map((part) => objectOf(part).text ?? '')
            .join('\n'),
  }));
  const calls = content
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }));
  if (role === 'user') return [...answers, ...(parts.length > 0 ? [{ role, content: parts }] : [])];
  if (role === 'system') return [{ role, content: parts }];
  const thought = content.find(({ type }) => type === 'thinking');
  return [
    {
      role,
      content: parts.length > 0 ? parts : null,
      ...(thought && { reasoning_content: thought.thinking }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
};

const imageUrl = ({ media_type: media, data }: JsonObject): JsonObject => ({
  type: 'image_url',
  image_url: { url: `data:${media};base64,${data}` },
});
