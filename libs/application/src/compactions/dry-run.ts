import {
  decide,
  evolve,
  type Fidelity,
  type OpenSession,
  type Profile,
  runningPlan,
  type SessionCommand,
  type SessionEvent,
} from '@app/domain';
import { CompactionId, invariant, Revision, type Tokens } from '@app/kernel';
import type { Summarizer, TokenCounter } from '@app/ports';
import { summarizePlan } from './summaries/calls/summarize-plan.js';
import { SummarizerCalls } from './summaries/calls/summarizer-calls.js';
import { finishSummary } from './summaries/finish-summary.js';
import { summaryTask } from './summaries/summary-request.js';

/** Result of a first attempt; `refused` names the rule that it violates. */
export type DryRun =
  | {
      readonly countedAfter: Tokens;
      readonly billedAfter: Tokens;
      readonly summaryTokens: Tokens;
      readonly fidelity: Fidelity | null;
    }
  | { readonly refused: string };

const ID = CompactionId('dry-run');
const WORKER = 'dry-run';

/**
 * Runs a compaction of `session` under `profile` with a summarizer that calls no model, and records nothing. Returns
 * `undefined` if there is nothing to compact.
 */
export const dryRun = async (
  session: OpenSession,
  profile: Profile,
  { summarizer, counter }: { readonly summarizer: Summarizer; readonly counter: TokenCounter },
): Promise<DryRun | undefined> => {
  const common = { sessionId: session.opened.sessionId, compactionId: ID, worker: WORKER };
  // The trial ignores a requested or running compaction.
  const idle: OpenSession = {
    ...session,
    compaction: undefined,
    deferred: undefined,
    turnCompleted: session.turn,
    closed: false,
  };
  const { identity } = summarizer;
  const begun = carriedOut(
    idle,
    { type: 'RequestCompaction', data: { ...common, trigger: 'explicit', profile } },
    { type: 'StartCompaction', data: { ...common, summarizer: identity, inputHash: '' } },
  );
  const plan = runningPlan(begun.session);
  if (!plan) return undefined;
  const task = summaryTask(
    { compactionId: ID, plan, attempt: 1, instructions: undefined, contextLines: [] },
    counter,
  );
  const never = new AbortController().signal;
  const calls = new SummarizerCalls(summarizer);
  const summary = plan.stages.includes('summarize')
    ? finishSummary(await summarizePlan(calls, task, counter, never), task, counter)
    : null;
  const { events } = carriedOut(begun.session, {
    type: 'CompleteCompaction',
    data: { ...common, attempt: 1, summary, summarizer: identity, durationMs: 0 },
  });
  return outcomeIn(events);
};

const carriedOut = (
  before: OpenSession,
  ...commands: readonly SessionCommand[]
): { readonly session: OpenSession; readonly events: readonly SessionEvent[] } => {
  const events: SessionEvent[] = [];
  let session = before;
  for (const command of commands)
    for (const event of decide(command, session)) {
      // The revisions are arbitrary: nothing derived from this state depends on them.
      const after = evolve(session, { event, revision: Revision(Number.MAX_SAFE_INTEGER) });
      invariant(after.status === 'open', 'a compaction ends no session');
      session = after;
      events.push(event);
    }
  return { session, events };
};

const outcomeIn = (events: readonly SessionEvent[]): DryRun | undefined => {
  for (const { type, data } of events) {
    if (type === 'CompactionAttemptFailed') return { refused: data.error.rule };
    if (type === 'CompactionCompleted') {
      const { countedAfter, billedAfter, summaryTokens, fidelity } = data;
      return { countedAfter, billedAfter, summaryTokens, fidelity: fidelity ?? null };
    }
  }
  return undefined;
};
