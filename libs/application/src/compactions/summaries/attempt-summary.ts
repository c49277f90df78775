import {
  type CompactionInFlight,
  type CountedReinjection,
  type FileOperations,
  type FinishedSummary,
  framedItem,
  type NativeCompaction,
  type OpenSession,
  type Plan,
  REINJECTION_FRAME,
  reinjectable,
  toldSession,
  verifySummary,
} from '@app/domain';
import { Tokens } from '@app/kernel';
import type { Summarizer, TokenCounter } from '@app/ports';
import { summarizePlan } from './calls/summarize-plan.js';
import type { SummarizerCalls } from './calls/summarizer-calls.js';
import { finishSummary } from './finish-summary.js';
import { PROSE_SHARE, withFactsFromLog } from './hybrid/facts-from-log.js';
import { repeatedRequest } from './repeated-request.js';
import { type SummaryTask, summaryTask } from './summary-request.js';

/** What an attempt starts from. */
export type AttemptInput = {
  readonly session: OpenSession;
  readonly compaction: CompactionInFlight;
  readonly plan: Plan;
  /** From 1. */
  readonly attempt: number;
};
export type AttemptTools = {
  readonly calls: SummarizerCalls;
  /** Who takes facts from the log, behind what a model writes; nobody where it is absent. */
  readonly facts: Summarizer | undefined;
  readonly counter: TokenCounter;
};

/** What an attempt came to, to be recorded. */
export type AttemptedSummary = { readonly summary: FinishedSummary; readonly native?: NativeCompaction };

/** The summary of one attempt as it is to stand in the context. @throws what the summarizer throws. */
export const attemptSummary = async (
  input: AttemptInput,
  { calls, facts, counter }: AttemptTools,
  signal: AbortSignal,
): Promise<AttemptedSummary> => {
  const finished = await finishedSummary(input, { calls, facts, counter }, signal);
  const reinjection = reinjectionFor(input, counter);
  const summary = reinjection ? { ...finished, reinjection } : finished;
  if (!input.plan.profile.nativeCompaction || verifySummary(summary)) return { summary };
  const covered = { ...toldSession(input.session, input.plan), entries: input.plan.covered };
  const native = await calls.compactNatively((format) => repeatedRequest(covered, format), signal);
  return { summary, ...(native && { native }) };
};

/** What the covered messages hold that can be given again, counted with its frame; nothing where the policy wants none. */
const reinjectionFor = (
  { session, plan }: AttemptInput,
  counter: TokenCounter,
): CountedReinjection | undefined => {
  const sources = reinjectable(session, plan);
  if (sources.length === 0) return undefined;
  const items = sources.map((source) => {
    const countedTokens = Tokens(counter.count(framedItem(source)) + LINE_END_TOKENS);
    return { ...source, countedTokens };
  });
  return { frame: Tokens(counter.count(REINJECTION_FRAME) + LINE_END_TOKENS), items };
};
/** What joins a part to the one before it. */
const LINE_END_TOKENS = 2;

const finishedSummary = async (
  input: AttemptInput,
  { calls, facts, counter }: AttemptTools,
  signal: AbortSignal,
): Promise<FinishedSummary> => {
  const isHybrid = facts && input.plan.profile.hybrid && calls.callsModel;
  const { fileOperations } = input.plan;
  // What calls no model lists files itself.
  const files = !isHybrid && calls.callsModel && hasFiles(fileOperations) ? fileOperations : undefined;
  const task = taskOf(input, counter, isHybrid ? PROSE_SHARE : files ? SHARE_BESIDE_FILES : 1);
  const result = await summarizePlan(calls, task, counter, signal);
  if (!isHybrid) return finishSummary(result, task, counter, files);
  return finishSummary(await withFactsFromLog(result, task, { facts, counter }, signal), task, counter);
};

/** Of the room for a summary, what a model's prose may take where files are listed behind it. */
const SHARE_BESIDE_FILES = 0.9;

const hasFiles = ({ read, modified, deleted = [], renamed = [] }: FileOperations): boolean =>
  read.length + modified.length + deleted.length + renamed.length > 0;

const taskOf = (
  { session, compaction, plan, attempt }: AttemptInput,
  counter: TokenCounter,
  share: number,
): SummaryTask => {
  const { compactionId, instructions, contextLines, lastError } = compaction;
  return summaryTask(
    {
      ...{ compactionId, plan, attempt, instructions, contextLines, share },
      brokenRule: lastError?.rule,
      ...(plan.profile.summaryInput === 'prefix' && {
        parent: (format) => repeatedRequest(toldSession(session, plan), format),
      }),
    },
    counter,
  );
};
