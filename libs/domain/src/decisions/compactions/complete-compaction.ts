import { pick, Tokens } from '@app/kernel';
import { pullsTrigger, reachesState, stateThresholds, triggerTokens } from '../../budget/limits.js';
import { type Plan, retainedThen } from '../../compaction/plan.js';
import { fitReinjection } from '../../compaction/reinjection/reinjectable.js';
import { runningPlan } from '../../compaction/running-plan.js';
import { mostAfter, sizesOf, verifyContext, verifyProgress } from '../../compaction/verify.js';
import { openingState, withSaving } from '../../evolve/opening.js';
import { hasReasoning } from '../../message/index.js';
import { savedBehindCut } from '../../occupancy/counted-limits.js';
import { estimatedTokens, occupancy } from '../../occupancy/occupancy.js';
import type { AttemptError, EventData, EventOf, SessionEvent } from '../../session/events.js';
import type { CompactionInFlight, OpenSession, Pivot } from '../../session/state.js';
import type { CommandOf, Decide } from '../commands.js';
import { continueSession } from '../continue-session.js';
import { duplicateCompaction as ranBesideProvider } from '../provider/report-edits.js';
import { stateAfter } from '../state-after.js';
import { closed, openedBy } from './circuit.js';
import { failAttempt } from './fail-compaction.js';
import { fidelityOnce } from './fidelity-once.js';
import { type Judgement, judgeSummary } from './judge-summary.js';

/**
 * Takes the result of an attempt: verifies it against the current context, and records completion and application, or
 * a failed attempt that leaves the context unchanged. A result after the end of the compaction, or of a replaced
 * worker, is recorded as cost and not applied.
 */
export const completeCompaction: Decide<'CompleteCompaction'> = (command, session) => {
  const { data } = command;
  const { compaction } = session;
  const isRunning = compaction?.compactionId === data.compactionId && compaction.attempt === data.attempt;
  if (!isRunning || !compaction.running) return doubleRun(data, session);

  const plan = runningPlan(session);
  if (!plan) return refused(data, session, { rule: 'superseded', detail: 'the covered range has changed' });
  const judged = judgeSummary(data, session, plan);
  const { findings, error } = judged;
  if (error) return [...findings, ...refused(data, session, error)];

  const { completed, rebuilt } = withProgress(
    completion(
      { ...data, ...(judged.summary && { summary: judged.summary }) },
      session,
      compaction,
      plan,
      judged,
    ),
    session,
  );
  const sizes = sizesOf(plan, compaction.running.countedBefore, rebuilt);
  const noGain = verifyProgress(sizes);
  if (noGain) {
    const { compactionId, attempt } = data;
    return [
      ...findings,
      {
        type: 'CompactionYieldedNoGain',
        data: {
          compactionId,
          attempt,
          countedBefore: sizes.before,
          countedAfter: sizes.after,
          countedLimit: sizes.atMost,
        },
      },
      ...refused(data, session, noGain),
    ];
  }
  const invalid = verifyContext(rebuilt, data.compactionId);
  if (invalid) return [...findings, ...refused(data, session, invalid)];
  return [
    ...findings,
    withFidelity(completed, plan, session.pivot),
    applied(completed, session, rebuilt),
    ...progressOf(data, session, rebuilt),
    ...continueSession(session, compaction, data.continuation),
    ...besideProvider(data, session),
  ];
};

/** Returns the completion with its progress event, and the session after both. */
const withProgress = (
  completed: EventOf<'CompactionCompleted'>,
  session: OpenSession,
): { readonly completed: EventOf<'CompactionCompleted'>; readonly rebuilt: OpenSession } => {
  const rebuilt = stateAfter(session, completed);
  if (!isAtTrigger(rebuilt)) return { completed, rebuilt };
  const { compactionsWithoutProgress, failures } = session;
  const opening = {
    ...completed.data.opening,
    compactionsWithoutProgress: compactionsWithoutProgress + 1,
    ...(failures > 0 && { failures }),
  };
  const withOpening = { ...completed, data: { ...completed.data, opening } };
  return { completed: withOpening, rebuilt: stateAfter(session, withOpening) };
};

/** Returns whether the next check would request a compaction of the result. */
const isAtTrigger = (session: OpenSession): boolean => {
  const { limits, profile } = session;
  const size = occupancy(session);
  return pullsTrigger(size, limits, profile) || reachesState(size, limits, profile, 'critical');
};

/** Consecutive compactions that leave the session at or above its trigger before they count as no progress. */
const UNMOVED_MAX = 2;

/**
 * Returns the effect of a completed compaction on the circuit breaker: no progress counts as a failure, anything else
 * as a success.
 */
const progressOf = (
  { compactionId, now }: CommandOf<'CompleteCompaction'>['data'],
  session: OpenSession,
  rebuilt: OpenSession,
): readonly SessionEvent[] => {
  if (rebuilt.compactionsWithoutProgress < UNMOVED_MAX) return closed(session, 'trial-succeeded');
  const { limits, profile } = rebuilt;
  const trigger = triggerTokens(limits, profile) ?? limits.window;
  return [
    {
      type: 'CompactionMadeNoProgress',
      data: {
        compactionId,
        compactions: rebuilt.compactionsWithoutProgress,
        occupancyAfter: occupancy(rebuilt),
        threshold: Tokens(Math.min(trigger, stateThresholds(limits, profile).critical)),
      },
    },
    ...openedBy(session, session.failures + 1, now),
  ];
};

/** The provider's own management may have shortened a request of the same turn before. */
const besideProvider = (
  { compactionId, attempt, worker, usage, cost }: CommandOf<'CompleteCompaction'>['data'],
  { providerEdited, turn }: OpenSession,
): readonly SessionEvent[] =>
  providerEdited?.turn === turn
    ? [
        ranBesideProvider(
          compactionId,
          { attempt, worker, usage, cost },
          providerEdited.edits,
          providerEdited,
        ),
      ]
    : [];

const doubleRun = (
  { compactionId, attempt, worker, usage, cost }: CommandOf<'CompleteCompaction'>['data'],
  { compaction, ended, lateResults }: OpenSession,
): readonly SessionEvent[] => {
  // The same attempt again is a retried command, not a second run.
  const isKnown = [compaction, ended, ...lateResults].some(
    (known) => known?.compactionId === compactionId && known.attempt === attempt,
  );
  if (isKnown) return [];
  const paid = { ...(usage && { usage }), ...(cost && { cost }) };
  return [{ type: 'CompactionDuplicated', data: { compactionId, attempt, worker, ...paid } }];
};

const refused = (
  { sessionId, compactionId, attempt, worker, usage, cost, now }: CommandOf<'CompleteCompaction'>['data'],
  session: OpenSession,
  error: AttemptError,
): readonly SessionEvent[] =>
  failAttempt(
    {
      type: 'FailAttempt',
      data: {
        sessionId,
        compactionId,
        attempt,
        worker,
        error,
        ...(usage && { usage }),
        ...(cost && { cost }),
        ...(now && { now }),
      },
    },
    session,
  );

const coveredBy = ({ covered }: Plan): EventData<'CompactionCompleted'>['covered'] => {
  const [first, last] = [covered[0], covered.at(-1)];
  return first && last ? { from: first.message.id, to: last.message.id, messages: covered.length } : null;
};

const completion = (
  data: CommandOf<'CompleteCompaction'>['data'],
  session: OpenSession,
  { trigger, turn, messages }: CompactionInFlight,
  plan: Plan,
  { quotes }: Judgement,
): EventOf<'CompactionCompleted'> => {
  const opening = openingState(session, plan.retained, plan.carried, plan.droppedOutputs);
  const messagesDuringRun = Math.max(0, session.messages - messages);
  const framedTokens = data.summary?.framedTokens ?? session.pivot?.summaryTokens ?? Tokens(0);
  const draft: EventOf<'CompactionCompleted'> = {
    type: 'CompactionCompleted',
    data: {
      ...pick(data, 'compactionId', 'attempt', 'worker'),
      trigger,
      turn,
      summary: data.summary?.text ?? session.pivot?.summary ?? null,
      summaryTokens: framedTokens,
      ...(data.summary?.truncatedFrom !== undefined && {
        truncated: { from: data.summary.truncatedFrom, to: framedTokens },
      }),
      ...(quotes && { quotes }),
      cut: plan.cut,
      splitTurn: plan.splitPrefix.length > 0,
      covered: coveredBy(plan),
      countedBefore: plan.countedBefore,
      countedAfter: Tokens(0),
      billedBefore: occupancy(session),
      billedAfter: Tokens(0),
      ...pick(plan, 'target', 'targetRaised', 'protection', 'retention', 'droppedOutputs'),
      ...reasoningDropped(plan),
      fileOperations: plan.fileOperations,
      ...pick(data, 'summarizer', 'native', 'usage', 'cost', 'durationMs'),
      ...(messagesDuringRun > 0 && { messagesDuringRun }),
      ...(data.now && { completedAt: data.now }),
      opening,
    },
  };
  const given = restoredContent(data, session, plan, draft);
  const after = stateAfter(session, given);
  return {
    ...given,
    data: {
      ...given.data,
      countedAfter: estimatedTokens(after),
      billedAfter: occupancy(after),
      opening: withSaving(opening, savedBehindCut(session, after)),
    },
  };
};

/**
 * Returns the restored content behind the summary within the limits of policy and target. Without a new summary the
 * previous content stays.
 */
const restoredContent = (
  { summary }: CommandOf<'CompleteCompaction'>['data'],
  session: OpenSession,
  { profile, target, countedBefore }: Plan,
  draft: EventOf<'CompactionCompleted'>,
): EventOf<'CompactionCompleted'> => {
  const before = session.compaction?.running?.countedBefore ?? countedBefore;
  const kept = summary ? undefined : session.pivot?.reinjected;
  if (kept && kept.length > 0) return { ...draft, data: { ...draft.data, reinjected: kept } };
  if (!summary?.reinjection) return draft;
  const most = mostAfter({ countedBefore, target }, profile.maxRemainingShare, before);
  const room = Math.min(profile.maxReinjectTokens, most - estimatedTokens(stateAfter(session, draft)));
  const { items, countedTokens } = fitReinjection(summary.reinjection, room);
  if (items.length === 0) return draft;
  const summaryTokens = Tokens(draft.data.summaryTokens + countedTokens);
  return { ...draft, data: { ...draft.data, summaryTokens, reinjected: items } };
};

const reasoningDropped = ({
  covered,
  removed,
}: Plan): Pick<EventData<'CompactionCompleted'>, 'reasoningDropped'> => {
  const ids = covered.flatMap(({ message }) =>
    hasReasoning(message) && removed.reasoningIn.has(message.id) ? [message.id] : [],
  );
  return ids.length > 0 ? { reasoningDropped: ids } : {};
};

/** Measured last: to look for every fact of the covered range is the most work here, and in vain for a refused result. */
const withFidelity = (
  completed: EventOf<'CompactionCompleted'>,
  plan: Plan,
  pivot: Pivot | undefined,
): EventOf<'CompactionCompleted'> => {
  const { covered, previousSummary } = plan;
  if (covered.length === 0) return completed;
  const fidelity = fidelityOnce({
    covered: covered.map(({ message }) => message),
    previous:
      pivot && previousSummary !== undefined
        ? { summary: previousSummary, compactionId: pivot.compactionId }
        : undefined,
    summary: [
      completed.data.summary ?? '',
      ...(completed.data.reinjected ?? []).map(({ text }) => text),
    ].join('\n'),
    context: retainedThen(plan).map(({ message }) => message),
  });
  return { ...completed, data: { ...completed.data, fidelity } };
};

const applied = (
  {
    data: { compactionId, countedBefore, countedAfter, billedBefore, billedAfter },
  }: EventOf<'CompactionCompleted'>,
  before: OpenSession,
  after: OpenSession,
): SessionEvent => {
  const warningCleared = before.crossed.warning && !after.crossed.warning;
  const sizes = { countedBefore, countedAfter, billedBefore, billedAfter };
  return { type: 'CompactionApplied', data: { compactionId, ...sizes, warningCleared } };
};
