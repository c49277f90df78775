import type { JsonObject } from '@app/kernel';
import { defined } from '@app/kernel';
import type { DraftCompaction } from '../drafts/draft.js';
import { modelNameIn, objectIn, stringIn, timeFrom, usageFrom } from '../drafts/members.js';

/**
 * Returns a finished compaction; `undefined` if it failed. It runs in parallel with the session: messages since its
 * start, from `firstSince` on, stay.
 */
export const compactionOf = (
  event: JsonObject,
  firstSince: string | undefined,
): DraftCompaction | undefined => {
  const data = objectIn(event, 'data') ?? {};
  const summary = stringIn(data, 'summaryContent');
  if (data.success === false || summary === undefined) return undefined;
  const id = stringIn(event, 'id');
  const createdAt = timeFrom(event.timestamp);
  const bill = objectIn(data, 'compactionTokensUsed');
  const model = modelNameIn(bill ?? {});
  const usage = usageFrom(bill, bill !== undefined && 'inputTokens' in bill ? USAGE : OLD_USAGE, model);
  const { preCompactionTokens: before, postCompactionTokens: after } = data;
  const trigger = stringIn(data, 'trigger');
  const { duration } = bill ?? {};
  return {
    ...(id !== undefined && { id }),
    summary,
    retained: firstSince === undefined ? { kind: 'none' } : { kind: 'from', messageId: firstSince },
    ...(trigger !== undefined && { trigger: trigger === 'manual' ? 'manual' : 'automatic' }),
    ...defined({ createdAt, model, usage }),
    ...(isCount(before) && { tokensBefore: before }),
    ...(isCount(after) && { tokensAfter: after }),
    ...(isCount(duration) && { durationMs: duration }),
  };
};

const USAGE = {
  input: 'inputTokens',
  cacheRead: 'cacheReadTokens',
  cacheWrite: 'cacheWriteTokens',
  output: 'outputTokens',
};
const OLD_USAGE = { input: 'input', cacheRead: 'cachedInput', cacheWrite: 'cacheWrite', output: 'output' };

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
