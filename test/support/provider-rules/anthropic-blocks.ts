import type { JsonObject } from '@app/kernel';
import { extraMembers, type Faults, isBlank, listOf, objectOf, unless } from './values.js';

/** The members of each block type in a request, and the roles that may send it. */
const KINDS: Readonly<Record<string, { readonly members: readonly string[]; readonly roles: string }>> = {
  text: { members: ['text', 'citations'], roles: 'user assistant' },
  image: { members: ['source'], roles: 'user' },
  document: { members: ['source', 'title', 'context', 'citations'], roles: 'user' },
  search_result: { members: ['source', 'title', 'content', 'citations'], roles: 'user' },
  tool_use: { members: ['id', 'name', 'input', 'caller', 'toolset_name'], roles: 'assistant' },
  tool_result: { members: ['tool_use_id', 'content', 'is_error'], roles: 'user' },
  thinking: { members: ['thinking', 'signature'], roles: 'assistant' },
  redacted_thinking: { members: ['data'], roles: 'assistant' },
  server_tool_use: { members: ['id', 'name', 'input', 'caller'], roles: 'assistant' },
  web_search_tool_result: { members: ['tool_use_id', 'content', 'caller'], roles: 'assistant' },
  web_fetch_tool_result: { members: ['tool_use_id', 'content', 'caller'], roles: 'assistant' },
  code_execution_tool_result: { members: ['tool_use_id', 'content'], roles: 'assistant' },
};
const RESULT_PARTS = ['text', 'image', 'search_result', 'document', 'tool_reference'];
const MEDIA = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** Returns the faults of one block, without regard to its neighbours. */
export const blockFaults = (where: string, block: JsonObject, role: unknown): Faults => {
  const type = String(block.type);
  const kind = KINDS[type];
  if (!kind) return [`${where}: has the unknown type ${type}`];
  return [
    ...extraMembers(where, block, ['type', 'cache_control', ...kind.members]),
    ...unless(kind.roles.split(' ').includes(String(role)), `${where}: a ${type} may not come from ${role}`),
    ...ownFaults(where, type, block),
  ];
};

const ownFaults = (where: string, type: string, block: JsonObject): Faults => {
  switch (type) {
    case 'text':
      return unless(!isBlank(block.text), `${where}: text content blocks must be non-empty`);
    case 'tool_use':
      return [
        ...unless(/^[a-zA-Z0-9_-]+$/.test(String(block.id)), `${where}: the call id has illegal characters`),
        ...unless(isToolName(block.name), `${where}: the tool name is not valid`),
        ...unless(isObject(block.input), `${where}: input should be a valid dictionary`),
      ];
    case 'tool_result':
      return resultFaults(where, block);
    case 'thinking':
      // The thinking text may be empty: some models send only a signature.
      return unless(
        typeof block.thinking === 'string' && !isBlank(block.signature),
        `${where}: thinking without a signature`,
      );
    case 'redacted_thinking':
      return unless(!isBlank(block.data), `${where}: redacted thinking without data`);
    case 'image':
    case 'document':
      return sourceFaults(where, type, objectOf(block.source));
    case 'server_tool_use':
      return unless(/^srvtoolu_[a-zA-Z0-9_]+$/.test(String(block.id)), `${where}: no id of a server tool`);
    default:
      return [];
  }
};

const resultFaults = (where: string, { content, is_error: isError }: JsonObject): Faults => {
  if (content === undefined) return [];
  if (typeof content === 'string') return unless(!isBlank(content), `${where}: a result of blank text`);
  const parts = listOf(content).map(objectOf);
  return [
    ...unless(Array.isArray(content), `${where}: the content of a result is no list`),
    ...parts.flatMap((part, at) => [
      ...unless(RESULT_PARTS.includes(String(part.type)), `${where}.${at}: ${part.type} in a tool result`),
      ...unless(isError !== true || part.type === 'text', `${where}.${at}: an error may hold only text`),
      ...(part.type === 'tool_reference' ? [] : blockFaults(`${where}.${at}`, part, 'user')),
    ]),
  ];
};

const sourceFaults = (where: string, type: string, source: JsonObject): Faults => {
  switch (source.type) {
    case 'base64':
      return [
        ...unless(!isBlank(source.data), `${where}: no data`),
        ...unless(/^[A-Za-z0-9+/]+={0,2}$/.test(String(source.data).slice(0, 4_096)), `${where}: no base64`),
        ...unless(
          type !== 'image' || MEDIA.includes(String(source.media_type)),
          `${where}: the media type ${source.media_type} is no image's`,
        ),
      ];
    case 'url':
      return unless(/^https?:\/\//.test(String(source.url)), `${where}: the URL is not one to fetch from`);
    case 'text':
      return unless(type === 'document' && !isBlank(source.data), `${where}: not a text source`);
    case 'file':
    case 'content':
      return [];
    default:
      return [`${where}: has the unknown source ${source.type}`];
  }
};

export const isToolName = (name: unknown, lengthMax = 128): boolean =>
  typeof name === 'string' && /^[a-zA-Z0-9_-]+$/.test(name) && name.length <= lengthMax;
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
