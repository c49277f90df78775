import { frameSummary, verifySummary, withUsersLines } from '@app/domain';
import { Tokens } from '@app/kernel';
import type { Summarizer, SummaryResult, TokenCounter } from '@app/ports';
import { type SummaryTask, summaryRequest, wayBackIn } from '../summary-request.js';
import { logPart, proseWithoutLogPart, sectionsFromLog } from './log-part.js';

/** Of the room for a summary, what a model's prose may take where facts from the log stand behind it. */
export const PROSE_SHARE = 0.75;
/** What takes the facts writes sections that the prose has already: it is given room for them, too. */
const ROOM_FOR_OTHERS = 1.5;
/** Of the room, what facts may take however little a model writes: lines of code without their story help nobody. */
const FACTS_SHARE_MAX = 0.35;
/** Less is not worth a heading. */
const ROOM_MIN = 60;

type FactTools = { readonly facts: Summarizer; readonly counter: TokenCounter };

/**
 * A model's summary with facts behind it that no model has written: the user's orders, files, commands, errors and names,
 * as far as there is room. A summary that breaks a rule is left as it is: it is refused for that.
 */
export const withFactsFromLog = async (
  result: SummaryResult,
  task: SummaryTask,
  { facts, counter }: FactTools,
  signal: AbortSignal,
): Promise<SummaryResult> => {
  const prose = proseWithoutLogPart(result.text);
  if (verifySummary({ ...result, text: prose })) return result;
  const framed = frameSummary(withUsersLines(prose, task.users.lines), task.compactionId, wayBackIn(task));
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

/** What counting in one piece may come to beyond the counts of its parts. */
const FRAMING_TOKENS = 16;
