import { fileOperationsOf, type Message, NO_FILE_OPERATIONS } from '@app/domain';
import { Tokens } from '@app/kernel';
import type { SummaryRequest } from '@app/ports';

/**
 * Share of the summary's tokens for the beginning of the current turn: its share of the covered tokens, within these bounds.
 */
const PREFIX_SHARE = { min: 0.25, max: 0.5 } as const;
/** Tokens of joining both summaries. */
const JOINT_TOKENS = 16;

export type SplitRequest = { readonly history: SummaryRequest; readonly turnPrefix: SummaryRequest };

/**
 * Splits a request into one for the history and one for the prefix of the current turn; `undefined` if there is no history
 * before it, or no turn is split.
 */
export const splitRequest = (
  request: SummaryRequest,
  tokensOf: (messages: readonly Message[]) => number,
): SplitRequest | undefined => {
  const at = request.messages.length - request.splitPrefix;
  if (request.splitPrefix === 0 || at === 0) return undefined;
  const [before, prefix] = [request.messages.slice(0, at), request.messages.slice(at)];
  const share = tokensOf(prefix) / Math.max(1, tokensOf(request.messages));
  const room = Math.max(0, request.sizeMax - JOINT_TOKENS);
  const prefixMax = Math.floor(room * Math.min(PREFIX_SHARE.max, Math.max(PREFIX_SHARE.min, share)));
  const { previousSummary: _, ...withoutPrevious } = request;
  return {
    // Only the request for the prefix shows the retained messages: the history ends where the turn begins.
    history: {
      ...request,
      messages: before,
      splitPrefix: 0,
      retained: [],
      sizeMax: Tokens(room - prefixMax),
    },
    turnPrefix: {
      ...withoutPrevious,
      messages: prefix,
      fileOperations: fileOperationsOf(
        prefix.map((message) => ({ message })),
        NO_FILE_OPERATIONS,
      ),
      sizeMax: Tokens(prefixMax),
    },
  };
};
