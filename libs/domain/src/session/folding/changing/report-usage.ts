import { sumTokens, Tokens } from '@app/kernel';
import { withCalibration } from '../../../budget/calibration/calibration.js';
import type { UsageReported } from '../../events.js';
import type { OpenSession } from '../../state.js';

/** Only the last completed, billed call of this epoch that this engine composed, whole, says anything about the next request. */
export const reportUsage = (before: OpenSession, { data }: UsageReported): OpenSession => {
  const { calibration } = data;
  const state = calibration
    ? { ...before, calibrations: withCalibration(before.calibrations, calibration) }
    : before;
  const messages = messagesMeasured(before, data);
  if (messages === undefined) return state;
  const tokens = Tokens(promptTokens(data) + data.usage.outputTokens);
  const { contributed } = state.request;
  return { ...state, usage: { tokens, messages, contributed, isBilled: true } };
};

/** The whole prompt: a provider that caches reports it in three parts. */
export const promptTokens = ({ usage }: UsageReported['data']): Tokens =>
  sumTokens([usage.inputTokens, usage.cacheReadTokens, usage.cacheWriteTokens]);

/** How many messages a bill measures, its answer included; `undefined` where it measures nothing. */
export const messagesMeasured = (state: OpenSession, data: UsageReported['data']): number | undefined => {
  if (promptTokens(data) + data.usage.outputTokens === 0) return undefined;
  if (data.outcome !== 'completed' || data.source !== 'reported' || data.shortened) return undefined;
  if (data.epoch !== undefined && data.epoch !== state.compactions) return undefined;
  const messages = messagesBilled(state, data);
  return messages === undefined || messages < (state.usage?.messages ?? 0) ? undefined : messages;
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
