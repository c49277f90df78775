import {
  fileOperationsOf,
  joinSummaries,
  type Message,
  NO_FILE_OPERATIONS,
  verifySummary,
} from '@app/domain';
import { Tokens } from '@app/kernel';
import type { SummaryRequest, SummaryResult, TokenCounter } from '@app/ports';
import { faultOf } from '../failure-of.js';
import { type SummaryTask, summaryRequest } from '../summary-request.js';
import { summarizeInParts, type Tools } from './summarize-in-parts.js';
import type { SummarizerCalls } from './summarizer-calls.js';

/**
 * Returns the summary of a plan: in one call behind the session's own request if the policy wants it and the summarizer
 * supports it. If that does not fit its window, and otherwise, with the number of calls that the summarizer needs: one, two for a turn
 * that the cut splits, more if its window is too small.
 */
export const summarizePlan = async (
  calls: SummarizerCalls,
  task: SummaryTask,
  counter: TokenCounter,
  signal: AbortSignal,
): Promise<SummaryResult> => {
  const { repeats } = calls.limits;
  if (!task.parent || !repeats) return summarizeMessages(calls, task, counter, signal);
  try {
    return await calls.summarize({ ...summaryRequest(task), parent: task.parent(repeats) }, signal);
  } catch (error) {
    if (signal.aborted || faultOf(error)?.fault !== 'overflow') throw error;
    return summarizeMessages(calls, task, counter, signal);
  }
};

const summarizeMessages = (
  calls: SummarizerCalls,
  task: SummaryTask,
  counter: TokenCounter,
  signal: AbortSignal,
): Promise<SummaryResult> => {
  const request = summaryRequest(task);
  const tools: Tools = { calls, counter, tokensOf: sizesIn(task) };
  const split = calls.limits.splitTurn === 'one-call' ? undefined : splitRequest(request, tools.tokensOf);
  return split ? summarizeSplit(split, tools, signal) : summarizeInParts(request, tools, signal);
};

/** Returns a function that sums the token counts recorded when messages were appended. */
const sizesIn = ({ plan }: SummaryTask): ((messages: readonly Message[]) => number) => {
  const entries = [...(plan.carried ? [plan.carried] : []), ...plan.covered, ...plan.retained];
  const sizes = new Map(entries.map(({ message, tokens }) => [message.id, tokens]));
  return (messages) => messages.reduce((sum, { id }) => sum + (sizes.get(id) ?? 0), 0);
};

/** Summarizes both parts; a part that breaks a rule is returned as the result, which verification then rejects. */
const summarizeSplit = async (
  { history, turnPrefix }: SplitRequest,
  tools: Tools,
  signal: AbortSignal,
): Promise<SummaryResult> => {
  const one = (until: AbortSignal) => summarizeInParts(history, tools, until);
  const other = (until: AbortSignal) => summarizeInParts(turnPrefix, tools, until);
  const parts =
    tools.calls.limits.splitTurn === 'serial'
      ? [await one(signal), await other(signal)]
      : await atATime(signal, one, other);
  const [before, since] = parts;
  const broken = parts.find((part) => verifySummary(part));
  if (broken || !before || !since) return broken ?? { text: '', finish: 'stop' };
  return { text: joinSummaries(before.text, since.text), finish: 'stop' };
};

/** Runs calls concurrently or one by one; the failure of one aborts the other. */
const atATime = <Result>(
  signal: AbortSignal,
  ...works: readonly ((until: AbortSignal) => Promise<Result>)[]
): Promise<Result[]> => {
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  return Promise.all(
    works.map((work) =>
      work(until).catch((error: unknown) => {
        stop.abort(); // Aborts with its own reason, so that the error and its usage remain those of the failed call.
        throw error;
      }),
    ),
  );
};

/**
 * Share of the summary's tokens for the beginning of the current turn: its share of the covered tokens, within these bounds.
 */
const PREFIX_SHARE = { min: 0.25, max: 0.5 } as const;
/** Tokens of joining both summaries. */
const JOINT_TOKENS = 16;

type SplitRequest = { readonly history: SummaryRequest; readonly turnPrefix: SummaryRequest };

/**
 * Splits a request into one for the history and one for the prefix of the current turn; `undefined` if there is no history
 * before it, or no turn is split.
 */
const splitRequest = (
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
