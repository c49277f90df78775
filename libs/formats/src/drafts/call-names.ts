import { type Block, hasCallNames, isToolResult, isToolUse } from '@app/domain';
import { isCallId, isToolName } from '@app/kernel';
import { digestOf } from './ids.js';

/** Characters of a digest that replaces an id. */
const DIGEST_LENGTH = 32;
/** The tool name of a call without a valid one. */
const UNNAMED = 'unknown';

/**
 * A block with names that are within the limits: an id that is not becomes a digest of itself, which call and result have in
 * common, and a tool's name is left out.
 */
export const withCallNames = (block: Block): Block => {
  if (hasCallNames(block)) return block;
  if (isToolUse(block))
    return { ...block, id: callIdFrom(block.id), name: isToolName(block.name) ? block.name : UNNAMED };
  return isToolResult(block) ? { ...block, tool_use_id: callIdFrom(block.tool_use_id) } : block;
};

export const callIdFrom = (id: string): string => (isCallId(id) ? id : `call-${digestOf(id, DIGEST_LENGTH)}`);
