import {
  type Block,
  declaresRecall,
  isToolUse,
  type OpenSession,
  RECALL_TOOL,
  type ToolUseBlock,
} from '@app/domain';
import type { ClientRequest, Wire, WireAnswer } from '@app/formats';
import type { JsonObject } from '@app/kernel';

/** Maximum rounds of one answer in which the gateway answers calls of the recall tool. */
const RECALL_ROUNDS_MAX = 8;

/**
 * Whether a request contains the recall tool: the profile wants it, or the history has calls of it, which providers reject
 * without its definition. A client's own tool of that name takes precedence.
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

/** Items of the Responses API, besides function calls, that the client answers: provider tools that run at the client. */
const CLIENTS_CALLS: ReadonlySet<string> = new Set([
  ...['computer_call', 'local_shell_call', 'shell_call', 'apply_patch_call', 'mcp_approval_request'],
]);

/** Whether an answer has calls for the client. */
export const hasOtherCalls = (blocks: readonly Block[]): boolean =>
  blocks.some((block) =>
    isToolUse(block) ? block.name !== RECALL_TOOL : CLIENTS_CALLS.has(String(block.type)),
  );

/** Stop reasons after which a call may be incomplete. */
const CUT_OFF: ReadonlySet<string> = new Set(['max_tokens', 'length', 'max_output_tokens', 'content_filter']);

/** Whether an answer ends the rounds: it calls other tools or none, was truncated, or is the last one allowed. */
export const isLastRound = (
  { blocks, endsTurn, stopReason }: Pick<WireAnswer, 'blocks' | 'endsTurn' | 'stopReason'>,
  calls: readonly ToolUseBlock[],
  round: number,
): boolean =>
  calls.length === 0 ||
  endsTurn ||
  CUT_OFF.has(stopReason) ||
  hasOtherCalls(blocks) ||
  round >= RECALL_ROUNDS_MAX;
