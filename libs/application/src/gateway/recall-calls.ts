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

/** Rounds of one answer in which the gateway answers calls of the recall tool by itself, at most. */
const RECALL_ROUNDS_MAX = 8;

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

/** Items of Responses that a client answers, beside calls of functions: tools of the provider's that run at the client. */
const CLIENTS_CALLS: ReadonlySet<string> = new Set([
  ...['computer_call', 'local_shell_call', 'shell_call', 'apply_patch_call', 'mcp_approval_request'],
]);

/** Whether the client has calls to answer, of its own tools. */
export const hasOtherCalls = (blocks: readonly Block[]): boolean =>
  blocks.some((block) =>
    isToolUse(block) ? block.name !== RECALL_TOOL : CLIENTS_CALLS.has(String(block.type)),
  );

/** Reasons for which a call may not be whole. */
const CUT_OFF: ReadonlySet<string> = new Set(['max_tokens', 'length', 'max_output_tokens', 'content_filter']);

/** Whether an answer is for the client: it calls no tool of the gateway's alone, was cut off, or no round is left. */
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
