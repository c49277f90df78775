import { Tokens } from '@app/kernel';
import type { UsageReported } from '../../events.js';
import type { OpenSession } from '../../state.js';

/** Only the last completed, billed call of this epoch that this engine composed, whole, says anything about the next request. */
export const reportUsage = (state: OpenSession, { data }: UsageReported): OpenSession => {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = data.usage;
  const tokens = inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens;
  if (tokens === 0 || data.outcome !== 'completed' || data.source !== 'reported') return state;
  if (data.shortened) return state;
  if (data.epoch !== undefined && data.epoch !== state.compactions) return state;
  const messages = messagesBilled(state, data);
  if (messages === undefined || messages < (state.usage?.messages ?? 0)) return state;
  return { ...state, usage: { tokens: Tokens(tokens), messages, contributed: state.request.contributed } };
};

/** How many messages the bill is for: `undefined` where its answer is older than the compaction in force. */
const messagesBilled = (
  { entries, messages, epochSince }: OpenSession,
  { messageId }: UsageReported['data'],
): number | undefined => {
  if (messageId === undefined) return messages;
  const answer = entries.findLast((entry) => entry.message.id === messageId);
  return answer && answer.revision > (epochSince ?? -1) ? answer.position + 1 : undefined;
};
