import { type JsonObject, ownMember } from '@app/kernel';
import { isBlank, listOf, objectOf } from '../../values/wire-values.js';
import { invalid } from '../failures/refusal.js';
import { extraInputs, type Refusals } from './refusals.js';

type Kind = {
  readonly members: readonly string[];
  readonly roles: readonly string[];
  /** Blocks that cannot have a cache mark. */
  readonly uncached?: true;
  /** Betas that enable the block; without a list it is always enabled. */
  readonly betas?: readonly string[];
};
const USER = ['user'];
const ASSISTANT = ['assistant'];
const SERVER_RESULT: Kind = { members: ['tool_use_id', 'content', 'caller'], roles: ASSISTANT };
const COMPACTION_BETAS = ['compact-2026-01-12', 'compact-2026-09-04'];
const TOOL_CHANGE_BETAS = ['mid-conversation-tool-changes-2026-07-01', 'inline-tools-2026-09-15'];

const KINDS: Readonly<Record<string, Kind>> = {
  text: { members: ['text', 'citations'], roles: ['user', 'assistant', 'system'] },
  image: { members: ['source'], roles: USER },
  document: { members: ['source', 'title', 'context', 'citations'], roles: ['user', 'assistant'] },
  search_result: { members: ['source', 'title', 'content', 'citations'], roles: USER },
  thinking: { members: ['thinking', 'signature'], roles: ASSISTANT, uncached: true },
  redacted_thinking: { members: ['data'], roles: ASSISTANT, uncached: true },
  tool_use: { members: ['id', 'name', 'input', 'caller', 'toolset_name'], roles: ASSISTANT },
  tool_result: { members: ['tool_use_id', 'content', 'is_error'], roles: USER },
  server_tool_use: { members: ['id', 'name', 'input', 'caller'], roles: ASSISTANT },
  web_search_tool_result: SERVER_RESULT,
  web_fetch_tool_result: SERVER_RESULT,
  advisor_tool_result: SERVER_RESULT,
  code_execution_tool_result: SERVER_RESULT,
  bash_code_execution_tool_result: SERVER_RESULT,
  text_editor_code_execution_tool_result: SERVER_RESULT,
  tool_search_tool_result: SERVER_RESULT,
  mcp_tool_use: { members: ['id', 'name', 'input', 'server_name'], roles: ASSISTANT },
  mcp_tool_result: { members: ['tool_use_id', 'content', 'is_error'], roles: ASSISTANT },
  mcp_tool_listing: { members: ['server_name', 'tools'], roles: ASSISTANT },
  container_upload: { members: ['file_id'], roles: ['user', 'assistant'] },
  compaction: {
    members: ['content', 'encrypted_content', 'signature', 'tool_changes'],
    roles: ['user', 'assistant'],
    betas: COMPACTION_BETAS,
  },
  tool_addition: { members: ['tool'], roles: ['user', 'system'], betas: TOOL_CHANGE_BETAS },
  tool_removal: { members: ['tool'], roles: ['user', 'system'], betas: TOOL_CHANGE_BETAS },
  fallback: { members: ['from', 'to', 'reason'], roles: ASSISTANT },
};
const RESULT_PARTS = ['text', 'image', 'search_result', 'document', 'tool_reference', 'browser_state'];
const MEDIA = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

/** The properties of a request that determine its allowed blocks. */
export type BlockContext = {
  readonly betas: ReadonlySet<string>;
  /** The version that removed sampling, documents of the assistant, and citations of the user. */
  readonly isNewVersion: boolean;
};

export function* blockRefusals(
  where: string,
  block: JsonObject,
  role: string,
  context: BlockContext,
): Refusals {
  const type = String(block.type);
  const kind = ownMember(KINDS, type);
  if (!kind || (kind.betas && !kind.betas.some((beta) => context.betas.has(beta)))) {
    const known = Object.keys(KINDS).map((name) => `'${name}'`);
    yield invalid(
      `${where}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${known.join(', ')}`,
    );
    return;
  }
  const marks = kind.uncached ? [] : ['cache_control'];
  yield* extraInputs(`${where}.${type}`, block, ['type', ...marks, ...kind.members]);
  if (!kind.roles.includes(role))
    yield invalid(`${where}: \`${type}\` blocks are not permitted in ${role} messages`);
  if (context.isNewVersion && type === 'document' && role === 'assistant')
    yield invalid(`${where}: \`document\` blocks are not permitted in assistant messages`);
  if (context.isNewVersion && type === 'text' && role === 'user' && block.citations != null)
    yield invalid(`${where}.text.citations: citations are not permitted in user messages`);
  yield* ownRefusals(where, type, block);
}

function* ownRefusals(where: string, type: string, block: JsonObject): Refusals {
  switch (type) {
    case 'text':
      return yield* textRefusals(where, block);
    case 'tool_use':
      if (!/^[a-zA-Z0-9_-]+$/.test(String(block.id)))
        yield invalid(`${where}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
      if (!/^[a-zA-Z0-9_-]{1,200}$/.test(String(block.name)))
        yield invalid(`${where}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'`);
      return yield* dictionary(`${where}.tool_use.input`, block.input);
    case 'server_tool_use':
      if (!/^srvtoolu_[a-zA-Z0-9_]+$/.test(String(block.id)))
        yield invalid(`${where}.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'`);
      return;
    case 'tool_result':
      return yield* resultRefusals(`${where}.tool_result`, block);
    case 'thinking':
      if (typeof block.thinking !== 'string') yield invalid(`${where}.thinking.thinking: Field required`);
      if (isBlank(block.signature)) yield invalid(`${where}.thinking.signature: Field required`);
      return;
    case 'redacted_thinking':
      if (isBlank(block.data)) yield invalid(`${where}.redacted_thinking.data: Field required`);
      return;
    case 'image':
    case 'document':
      return yield* sourceRefusals(`${where}.${type}.source`, type, objectOf(block.source));
    default:
  }
}

function* textRefusals(where: string, { text, cache_control }: JsonObject): Refusals {
  if (typeof text !== 'string') yield invalid(`${where}.text.text: Input should be a valid string`);
  if (text === '' && cache_control != null)
    yield invalid(`${where}.text: cache_control cannot be set for empty text blocks`);
  if (text === '') yield invalid('messages: text content blocks must be non-empty');
  if (isBlank(text)) yield invalid('messages: text content blocks must contain non-whitespace text');
}

function* resultRefusals(where: string, { content, is_error: isError }: JsonObject): Refusals {
  if (content === undefined || typeof content === 'string') return;
  if (!Array.isArray(content)) yield invalid(`${where}.content: Input should be a valid list`);
  for (const [at, part] of listOf(content).map(objectOf).entries()) {
    const type = String(part.type);
    if (!RESULT_PARTS.includes(type))
      yield invalid(`${where}.content.${at}: Input tag '${type}' found using 'type' is not permitted`);
    if (isError === true && type !== 'text')
      yield invalid(`${where}: all content must be type "text" if \`is_error\` is true`);
    if (type === 'text') yield* textRefusals(`${where}.content.${at}`, part);
    if (type === 'image') yield* sourceRefusals(`${where}.content.${at}.source`, type, objectOf(part.source));
  }
}

function* sourceRefusals(where: string, type: string, source: JsonObject): Refusals {
  switch (source.type) {
    case 'base64':
      if (type === 'image' && !MEDIA.includes(String(source.media_type)))
        yield invalid(
          `${where}.base64.media_type: Input should be ${MEDIA.map((one) => `'${one}'`).join(', ')}`,
        );
      if (!/^[A-Za-z0-9+/]+={0,2}$/.test(String(source.data).slice(0, 4_096)))
        yield invalid(`${where}.base64.data: Input should be a valid base64 string`);
      return;
    case 'url':
      if (!/^https?:\/\//.test(String(source.url)))
        yield invalid(`${where}.url.url: Only HTTP(S) URLs are supported`);
      return;
    case 'text':
      if (isBlank(source.data)) yield invalid(`${where}.text.data: text content must be non-empty`);
      return;
    case 'file':
    case 'content':
      return;
    default:
      yield invalid(
        `${where}: Input tag '${source.type}' found using 'type' does not match any expected tag`,
      );
  }
}

function* dictionary(where: string, value: JsonObject[string]): Refusals {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    yield invalid(`${where}: Input should be a valid dictionary`);
}
