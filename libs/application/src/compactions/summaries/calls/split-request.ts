import { fileOperationsOf, type Message, NO_FILE_OPERATIONS } from '@app/domain';
import { Tokens } from '@app/kernel';
import type { SummaryRequest } from '@app/ports';

/** Of the room for the whole, what the beginning of the turn under way gets: its share of the tokens, within these. */
const PREFIX_SHARE = { min: 0.25, max: 0.5 } as const;
/** What joining costs. */
const JOINT_TOKENS = 16;

export type SplitRequest = { readonly history: SummaryRequest; readonly turnPrefix: SummaryRequest };

/**
 * A request in two: for the history, and for the turn's own prefix. `undefined` where no history stands before the
 * prefix, or no turn is split: then there is one thing to summarize.
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
    // What stays is told of beside the prefix: the history ends where the turn begins.
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
