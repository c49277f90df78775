import type { JsonObject } from '@app/kernel';
import type { Block } from '../../message/index.js';
import type { WireFormat } from '../../message/wire.js';

/**
 * Blocks of Anthropic's assistant and user messages other than text, reasoning, calls, results and media.
 */
const ASSISTANTS_BLOCKS = new Set([
  'server_tool_use',
  'mcp_tool_use',
  'mcp_tool_result',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'advisor_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'mcp_tool_listing',
  'container_upload',
  'compaction',
  'fallback',
]);
const USERS_BLOCKS: Readonly<Record<WireFormat, ReadonlySet<string>>> = {
  anthropic: new Set(['search_result', 'container_upload']),
  'openai-chat': new Set(),
  'openai-responses': new Set(['input_file', 'input_image']),
};

/** Blocks of a provider's own tools mean nothing to other providers. */
export const isAssistants = (block: Block, format: WireFormat): boolean => {
  if (format === 'openai-responses') return isLoneItem(block);
  return format === 'anthropic' && ASSISTANTS_BLOCKS.has(block.type) && !isLoneItem(block);
};
export const isUsers = ({ type }: Block, format: WireFormat): boolean => USERS_BLOCKS[format].has(type);

/**
 * Whether a block is an item of OpenAI's Responses that needs no other one beside it: a search of the provider's, or its
 * compaction. Anthropic has a block of the same name for its own compaction, and that one has a `content`.
 */
const isLoneItem = ({ type, content, encrypted_content: encrypted }: JsonObject): boolean =>
  type === 'web_search_call' ||
  (type === 'compaction' && content === undefined && typeof encrypted === 'string');
