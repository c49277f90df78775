import {
  type CompactionInFlight,
  type CountedReinjection,
  compose,
  type FileOperations,
  type FinishedSummary,
  framedItem,
  manifestOf,
  type NativeCompaction,
  type OpenSession,
  type Plan,
  REINJECTION_FRAME,
  reinjectable,
  summarizerSession,
  verifySummary,
  type WireFormat,
} from '@app/domain';
import { isSystemForm, type SystemForm, sessionBody, wireOf } from '@app/formats';
import { Tokens } from '@app/kernel';
import type { RepeatedRequest, Summarizer, TokenCounter } from '@app/ports';
import { originOf, SYSTEM_LABEL, WIRE_LABEL } from '../../requests/request-parts.js';
import { summarizePlan } from './calls/summarize-plan.js';
import type { SummarizerCalls } from './calls/summarizer-calls.js';
import { finishSummary } from './finish-summary.js';
import { PROSE_SHARE, withFactsFromLog } from './log-part.js';
import { type SummaryTask, summaryTask } from './summary-request.js';

/** Input of an attempt. */
type AttemptInput = {
  readonly session: OpenSession;
  readonly compaction: CompactionInFlight;
  readonly plan: Plan;
  /** From 1. */
  readonly attempt: number;
};
type AttemptTools = {
  readonly calls: SummarizerCalls;
  /** Extracts facts from the log, which follow the summary of a model; `undefined` for none. */
  readonly facts: Summarizer | undefined;
  readonly counter: TokenCounter;
};

/** Result of an attempt. */
type AttemptedSummary = { readonly summary: FinishedSummary; readonly native?: NativeCompaction };

/** Returns the final summary of one attempt. @throws errors of the summarizer. */
export const attemptSummary = async (
  input: AttemptInput,
  { calls, facts, counter }: AttemptTools,
  signal: AbortSignal,
): Promise<AttemptedSummary> => {
  const finished = await finishedSummary(input, { calls, facts, counter }, signal);
  const reinjection = reinjectionFor(input, counter);
  const summary = reinjection ? { ...finished, reinjection } : finished;
  if (!input.plan.profile.nativeCompaction || verifySummary(summary)) return { summary };
  const covered = { ...summarizerSession(input.session, input.plan), entries: input.plan.covered };
  const native = await calls.compactNatively((format) => repeatedRequest(covered, format), signal);
  return { summary, ...(native && { native }) };
};

/** Returns covered content that is injected again, counted with its frame; `undefined` if the policy wants none. */
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
/** Tokens of the line break between two parts. */
const LINE_END_TOKENS = 2;

const finishedSummary = async (
  input: AttemptInput,
  { calls, facts, counter }: AttemptTools,
  signal: AbortSignal,
): Promise<FinishedSummary> => {
  const isHybrid = facts && input.plan.profile.hybrid && calls.callsModel;
  const { fileOperations } = input.plan;
  // Summarizers without a model list files themselves.
  const files = !isHybrid && calls.callsModel && hasFiles(fileOperations) ? fileOperations : undefined;
  const task = taskOf(input, counter, isHybrid ? PROSE_SHARE : files ? SHARE_BESIDE_FILES : 1);
  const result = await summarizePlan(calls, task, counter, signal);
  if (!isHybrid) return finishSummary(result, task, counter, files);
  return finishSummary(await withFactsFromLog(result, task, { facts, counter }, signal), task, counter);
};

/** Share of the summary's tokens for the model's prose if a list of files follows it. */
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
      compactionId,
      plan,
      attempt,
      instructions,
      contextLines,
      share,
      brokenRule: lastError?.rule,
      ...(plan.profile.summaryInput === 'prefix' && {
        parent: (format) => repeatedRequest(summarizerSession(session, plan), format),
      }),
    },
    counter,
  );
};

/**
 * Returns the session's own request in the form that its provider has cached. Gateway clients of OpenAI send their own form,
 * and only that one is cached.
 */
const repeatedRequest = (session: OpenSession, format: WireFormat): RepeatedRequest => {
  const manifest = manifestOf(session);
  if (session.opened.labels[WIRE_LABEL] !== format || format === 'anthropic')
    return compose(manifest, format).request;
  return sessionBody(wireOf(format), manifest, originOf(session), systemFormIn(session));
};

const systemFormIn = ({ opened: { labels } }: OpenSession): SystemForm | undefined => {
  const form = labels[SYSTEM_LABEL];
  return isSystemForm(form) ? form : undefined;
};
