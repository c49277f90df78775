import type {
  CompactionExplanation,
  Covered,
  ExplainedAttempt,
  Explanation,
  ResetExplanation,
  WhyNow,
} from '@app/contract';
import { findModel, type OpenSession, partTokens, pricesAt, promptCacheEffect } from '@app/domain';
import { type CompactionId, invariant, pick, Revision, sumTokens } from '@app/kernel';
import { QueryOnSession } from '../../command-and-query.js';
import { Handler, HandlesQuery } from '../../handlers.js';
import { requireOpen, type SessionRef } from '../../sessions/session-ref.js';
import { thresholdsOf } from '../thresholds.js';
import { type CompactionStory, eventsOf, readStory, type StoryEvent } from './compaction-story.js';
import { explainLost, explainOutcome, explainVerified } from './explain-outcome.js';
import { explainPlan } from './explain-plan.js';

/** The event that made a compaction due: its request, or the newest deferral without one. */
type Due = StoryEvent<'CompactionRequested'> | StoryEvent<'CompactionDeferred'>;

/** Explains a compaction from the log: its cause, result and current state. Records nothing. */
export class ExplainCompaction extends QueryOnSession<Explanation, CompactionId> {}

@HandlesQuery(ExplainCompaction)
export class ExplainCompactionHandler extends Handler<ExplainCompaction, 'sessions' | 'log' | 'models'> {
  /** @throws {AppError} `session-not-found`, `compaction-not-found`. */
  async execute({ ref, input: compactionId }: ExplainCompaction): Promise<Explanation> {
    const story = await readStory(this.parts.log, ref, compactionId);
    const named = { session: ref.session, compactionId };
    const [fork] = eventsOf(story, 'SessionForked');
    if (fork) {
      const { from, summaryTokens } = fork.data;
      const { revision, at } = fork;
      return { ...named, kind: 'fork', revision, at, standing: story.standing, from, summaryTokens };
    }
    const [reset] = eventsOf(story, 'SessionReset');
    if (reset) return { ...named, ...(await this.explainReset(ref, story, reset)) };
    // A deferred compaction, or one cancelled while deferred, was never requested.
    const due = eventsOf(story, 'CompactionRequested')[0] ?? eventsOf(story, 'CompactionDeferred').at(-1);
    invariant(due, `the story of ${compactionId} has no beginning`);
    return { ...named, ...(await this.explain(ref, story, due)) };
  }

  private async explain(
    ref: SessionRef,
    story: CompactionStory,
    due: Due,
  ): Promise<Omit<CompactionExplanation, 'session' | 'compactionId'>> {
    const { profile } = due.data;
    const before = await this.contextAt(ref, due.revision);
    const started = eventsOf(story, 'CompactionStarted').at(-1);
    const atStart = started && (await this.contextAt(ref, started.revision));
    const planned = started && atStart && explainPlan(story, started, atStart, profile);
    const completed = eventsOf(story, 'CompactionCompleted')[0];
    const result = completed?.data;
    return {
      kind: 'compaction',
      outcome: explainOutcome(story),
      why: whyNow(story, due, before),
      plan: planned?.cut ?? null,
      imported: result?.imported ? { ...result.imported, by: result.summarizer } : null,
      turns: result?.retention ?? planned?.plan?.retention ?? [],
      attempts: explainAttempts(story),
      lateResults: lateResults(story),
      besideProvider: besideProvider(story),
      verified: explainVerified(story, profile.maxRemainingShare),
      promptCache: completed ? await this.promptCache(ref, before, completed) : null,
      lost: explainLost(story),
      covered: planned?.covered ?? (result ? coveredIn(result, before) : null),
      previous: previousIn(atStart ?? (result?.imported ? before : undefined)),
      droppedOutputs: result?.droppedOutputs ?? planned?.plan?.droppedOutputs ?? [],
    };
  }

  private async promptCache(
    { tenant }: SessionRef,
    session: OpenSession,
    { at, data: { billedBefore, billedAfter } }: StoryEvent<'CompactionCompleted'>,
  ): Promise<CompactionExplanation['promptCache']> {
    const found = findModel(await this.parts.models.catalogFor(tenant), session.model);
    const prices = found?.seller === 'vendor' ? pricesAt(found.record, at) : undefined;
    const kept = partTokens(session, session.parts.fixedTokens);
    return promptCacheEffect({ kept, before: billedBefore, after: billedAfter }, prices?.rates);
  }

  private async explainReset(
    ref: SessionRef,
    { standing }: CompactionStory,
    { revision, at, actor, data }: StoryEvent<'SessionReset'>,
  ): Promise<Omit<ResetExplanation, 'session' | 'compactionId'>> {
    const { reason, turn, opening, clearedMessages } = data;
    const { countedBefore, countedAfter, billedBefore, billedAfter } = data;
    const before = await this.contextAt(ref, Revision(revision - 1));
    const carried = opening.carried?.message.id ?? null;
    const ids = before.entries.map(({ message }) => message.id).filter((id) => id !== carried);
    return {
      kind: 'reset',
      revision,
      at,
      standing,
      actor,
      reason,
      turn,
      countedBefore,
      countedAfter,
      billedBefore,
      billedAfter,
      cleared: { messages: clearedMessages, ids },
      carried,
    };
  }

  private async contextAt(ref: SessionRef, revision: Revision): Promise<OpenSession> {
    const { state } = await this.parts.sessions.load(ref, revision);
    return requireOpen(ref, state);
  }
}

const previousIn = (session: OpenSession | undefined): CompactionId | null =>
  session?.pivot?.summary == null ? null : session.pivot.compactionId;

/** For an imported compaction without a plan. */
const coveredIn = (
  { covered }: StoryEvent<'CompactionCompleted'>['data'],
  { entries }: OpenSession,
): Covered | null => {
  if (!covered) return null;
  const first = entries.findIndex(({ message }) => message.id === covered.from);
  const all = entries.slice(Math.max(0, first), Math.max(0, first) + covered.messages);
  const tokens = sumTokens(all.map((entry) => entry.tokens));
  return { ...covered, tokens, ids: first < 0 ? null : all.map(({ message }) => message.id) };
};

const whyNow = (
  story: CompactionStory,
  { revision, at, actor, data }: Due,
  { limits }: OpenSession,
): WhyNow => {
  const { trigger, profile, instructions, turn, occupancy } = data;
  return {
    revision,
    at,
    trigger,
    count: 'count' in data ? (data.count ?? null) : null,
    actor,
    profile: profile.name,
    mode: profile.mode,
    withInstructions: instructions !== undefined,
    deferred: waitsOf(story),
    turn,
    occupancy,
    window: limits.window,
    thresholds: thresholdsOf(limits, profile),
  };
};

const waitsOf = (story: CompactionStory): WhyNow['deferred'] =>
  eventsOf(story, 'CompactionDeferred').map(({ revision, at, data: { trigger, until, by, reason } }) => ({
    revision,
    at,
    trigger,
    until,
    by,
    reason,
  }));

/** Returns the attempts of a compaction with their outcomes. */
const explainAttempts = (story: CompactionStory): readonly ExplainedAttempt[] => {
  const failed = eventsOf(story, 'CompactionAttemptFailed');
  const completed = eventsOf(story, 'CompactionCompleted');
  const oversize = eventsOf(story, 'CompactionSummaryExceededLimit');
  const noGain = eventsOf(story, 'CompactionYieldedNoGain');
  const downgraded = eventsOf(story, 'CompactionReasoningDowngraded');
  const isCancelled = eventsOf(story, 'CompactionCancelled').length > 0;
  return eventsOf(story, 'CompactionStarted').map(({ revision, at, data }): ExplainedAttempt => {
    const isThis = (one: { readonly data: { readonly attempt: number } }): boolean =>
      one.data.attempt === data.attempt;
    const failure = failed.find(isThis)?.data;
    const result = completed.find(isThis)?.data;
    const { tokens, countedLimit } = oversize.find(isThis)?.data ?? {};
    const small = noGain.find(isThis)?.data;
    const reasoning = downgraded.find(isThis)?.data;
    const open = isCancelled ? 'given-up' : 'running';
    return {
      revision,
      at,
      ...pick(data, 'attempt', 'worker', 'summarizer', 'inputHash'),
      contextLines: data.contextLines?.length ?? 0,
      ...pick(data, 'countedBefore', 'billedBefore', 'target', 'coveredMessages', 'coveredTokens'),
      outcome: result ? 'completed' : failure ? 'failed' : open,
      error: failure?.error ?? null,
      usage: result?.usage ?? failure?.usage ?? null,
      cost: result?.cost ?? failure?.cost ?? null,
      oversize: tokens === undefined || countedLimit === undefined ? null : { tokens, countedLimit },
      noGain: small ? pick(small, 'countedBefore', 'countedAfter', 'countedLimit') : null,
      reasoning: reasoning ? { marks: reasoning.marks, blocks: reasoning.blocks } : null,
      retryAt: failure?.retryAt ?? null,
    };
  });
};

/** Returns results that arrived after that of another worker. */
const lateResults = (story: CompactionStory): CompactionExplanation['lateResults'] =>
  eventsOf(story, 'CompactionDuplicated').flatMap(({ data: { attempt, worker, usage, cost, provider } }) =>
    provider ? [] : [{ attempt, worker, usage: usage ?? null, cost: cost ?? null }],
  );

/** Returns the provider's context edits in the turn of the compaction. */
const besideProvider = (story: CompactionStory): CompactionExplanation['besideProvider'] =>
  eventsOf(story, 'CompactionDuplicated').flatMap(({ revision, at, data: { usage, cost, provider } }) =>
    provider ? [{ revision, at, ...provider, usage: usage ?? null, cost: cost ?? null }] : [],
  );
