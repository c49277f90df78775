import { frameSummary, verifySummary, withUsersLines } from '@app/domain';
import { Tokens } from '@app/kernel';
import type { Summarizer, SummaryResult, TokenCounter } from '@app/ports';
import { readBackIn, type SummaryTask, summaryRequest } from '../summary-request.js';
import { logPart, proseWithoutLogPart, sectionsFromLog } from './log-part.js';

/** Share of the summary's tokens for the model's prose if facts from the log follow it. */
export const PROSE_SHARE = 0.75;
/** The extractor also writes sections that the prose already covers, so it receives more room. */
const ROOM_FOR_OTHERS = 1.5;
/** Maximum share of facts, even if the model writes little: identifiers without explanation are useless. */
const FACTS_SHARE_MAX = 0.35;
/** Minimum tokens for the section. */
const ROOM_MIN = 60;

type FactTools = { readonly facts: Summarizer; readonly counter: TokenCounter };

/**
 * Appends to a model's summary facts that are extracted from the log: the user's directives, files, commands, errors and names,
 * as far as there is room. A summary that breaks a rule is returned unchanged; verification rejects it.
 */
export const withFactsFromLog = async (
  result: SummaryResult,
  task: SummaryTask,
  { facts, counter }: FactTools,
  signal: AbortSignal,
): Promise<SummaryResult> => {
  const prose = proseWithoutLogPart(result.text);
  if (verifySummary({ ...result, text: prose })) return result;
  const framed = frameSummary(withUsersLines(prose, task.users.lines), task.compactionId, readBackIn(task));
  const { countedSummaryLimit } = task.plan;
  const left = countedSummaryLimit - counter.count(framed) - FRAMING_TOKENS;
  const room = Math.min(left, Math.floor(countedSummaryLimit * FACTS_SHARE_MAX));
  if (room < ROOM_MIN) return { ...result, text: prose };
  const { previousSummary, brokenRule: _, ...request } = summaryRequest(task);
  const before = previousSummary === undefined ? undefined : logPart(previousSummary);
  const taken = await facts.summarize(
    {
      ...request,
      ...(before !== undefined && { previousSummary: before }),
      sizeMax: Tokens(Math.floor(room * ROOM_FOR_OTHERS)),
    },
    signal,
  );
  return { ...result, text: sectionsFromLog(prose, taken.text, { room, counter }) };
};

/** Maximum difference in tokens between a whole and the sum of its parts. */
const FRAMING_TOKENS = 16;
