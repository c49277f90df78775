import {
  type Block,
  declaresRecall,
  isToolUse,
  type OpenSession,
  RECALL_TOOL,
  type ToolUseBlock,
} from '@app/domain';
import type { ClientRequest, Wire } from '@app/formats';
import type { JsonObject } from '@app/kernel';

/** Rounds of one answer in which the gateway answers calls of the recall tool by itself, at most. */
export const RECALL_ROUNDS_MAX = 8;

/**
 * Whether a request gets the recall tool: the session's profile asks for it, or its history holds calls of the tool, which
 * providers refuse without its definition. A client with a tool of that name answers its calls itself.
 */
export const isRecalling = (
  wire: Wire,
  { tools }: Pick<ClientRequest, 'tools'>,
  body: JsonObject,
  { profile, entries }: OpenSession,
): boolean =>
  (profile.recall || entries.some(({ message }) => message.clientHas !== undefined)) &&
  wire.recall.mayHold(body) &&
  !declaresRecall(tools);

export const recallCallsIn = (blocks: readonly Block[]): readonly ToolUseBlock[] =>
  blocks.filter(isToolUse).filter(({ name }) => name === RECALL_TOOL);

/** Whether the client has calls to answer, of its own tools. */
export const hasOtherCalls = (blocks: readonly Block[]): boolean =>
  blocks.some((block) => isToolUse(block) && block.name !== RECALL_TOOL);
