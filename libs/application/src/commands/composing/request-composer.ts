import {
  type ComposeRequestCommand,
  type Contribution,
  carrying,
  mustShrink,
  type OpenSession,
  type RemedyFacts,
  type RequestComposed,
  type RequestRefused,
  requestVerdict,
  type SessionEvent,
  type SessionState,
} from '@app/domain';
import { AppError, type CompactionId, invariant, type Revision, type Tokens } from '@app/kernel';
import { type Clock, canSummarize, type SummarizerChoice } from '@app/ports';
import type { OutcomeWaiter } from '../../running/await-outcome.js';
import type { CommandFor } from '../../sessions/deciding/command-for.js';
import { requireOpen } from '../../sessions/require-open.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import { checkOf } from '../check-budget.js';
import { contextOverflow } from './context-overflow.js';
import type { ContributionCollector, Contributions } from './contributing/collect-contributions.js';
import { countStep } from './counting/count-step.js';
import type { Countable, RequestCounts } from './counting/request-counts.js';

/** A request as it would go out, and the command that asks whether it may. */
export type Drafted<Made> = { readonly made: Made; readonly command: ComposeRequestCommand };
/** Composes what the next request of a session would be; asked again where somebody else has written to it meanwhile. */
export type Drafting<Made> = (
  session: OpenSession,
  revision: Revision,
  contributions: Contributions,
) => Drafted<Made>;
/** How a caller would have requests composed. */
export type Composing<Made> = {
  readonly draft: Drafting<Made>;
  /** The same request with nothing left out for its size, where its provider can be asked for that. */
  readonly whole: (session: OpenSession, contributions: Contributions) => Countable | undefined;
  /** What is to be recorded first, in the same append. */
  readonly before?: readonly CommandFor[];
};
export type Composed<Made> = {
  readonly verdict: RequestComposed | RequestRefused;
  readonly session: OpenSession;
  readonly made: Made;
  readonly facts: RemedyFacts;
};

/** One compaction is waited for, and one more where so much came meanwhile; then the budget has the last word. */
const COMPACTIONS_AWAITED = 2;

/** Composes requests under the budget of their sessions, whatever form they take. */
export class RequestComposer {
  constructor(
    private readonly sessions: SessionStore,
    private readonly outcomes: OutcomeWaiter,
    private readonly contributions: ContributionCollector,
    private readonly clock: Clock,
    private readonly counts: RequestCounts,
    private readonly summarizers: SummarizerChoice,
    /** How long a compaction is waited for; what the waiter takes for patience where nothing is said. */
    private readonly patienceMs?: number,
  ) {}

  /** @throws {AppError} `session-not-found`, `session-closed`, `invalid-settings`, `context-overflow`. */
  async compose<Made>(
    ref: SessionRef,
    given: readonly Contribution[],
    { draft, whole, before = [] }: Composing<Made>,
    caller: Caller,
  ): Promise<Composed<Made>> {
    const contributions = await this.contributions.collect(ref, given);
    const contributed = contributions.tokens;
    let facts: RemedyFacts = { canSummarize: true };
    for (let awaited = 0, isLast = false; ; awaited += 1) {
      let drafted: Drafted<Made> | undefined;
      let isAsked = false;
      const make = async (now: SessionState, revision: Revision | undefined) => {
        if (now.status !== 'open' || revision === undefined) return undefined;
        drafted = draft(now, revision, contributions);
        isAsked = isLast || compactionBefore(now, contributed) === undefined;
        if (!isAsked) return undefined;
        facts = await this.factsOf(ref, now, contributed);
        const { command } = drafted;
        return { ...command, data: { ...command.data, ...facts } };
      };
      const { state, events } = await this.sessions.executeAll(
        ref,
        [
          ...(awaited === 0 ? before : []),
          countStep(this.counts, contributed, (session) => whole(session, contributions)),
          checkOf(ref, this.clock, { contributed, workGoesOn: true }),
          { called: 'ComposeRequest', make },
        ],
        caller,
      );
      const session = requireOpen(ref, state);
      const compactionId = compactionBefore(session, contributed);
      if (isAsked || compactionId === undefined || events.some(({ type }) => isAnswer(type)))
        return composedOf(session, drafted, facts);
      const isOver = await this.isOver(ref, compactionId);
      isLast = !isOver || awaited + 1 === COMPACTIONS_AWAITED;
    }
  }

  /** What remedies depend on beside the session; asked for where there is something to remedy. */
  private async factsOf(ref: SessionRef, now: OpenSession, contributed: Tokens): Promise<RemedyFacts> {
    const { kind, state } = requestVerdict(carrying(now, contributed));
    if (kind === 'may-go' && state === 'normal' && !mustShrink(now)) return { canSummarize: true };
    const { profile, model } = now;
    return { canSummarize: await canSummarize(this.summarizers, { tenant: ref.tenant, profile, model }) };
  }

  /** Lets the compaction that must come before the request come to its end; `false` where that takes too long. */
  private async isOver(ref: SessionRef, compactionId: CompactionId): Promise<boolean> {
    try {
      await this.outcomes.outcomeOf(ref, compactionId, this.patienceMs);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'compaction-timed-out') return false;
      throw error;
    }
  }
}

/** The compaction in flight that a request with so much beside the session has to wait for. */
const compactionBefore = (state: OpenSession, contributed: Tokens): CompactionId | undefined => {
  const session = carrying(state, contributed);
  const isTooLarge = requestVerdict(session).kind === 'refused' || mustShrink(session);
  const mustWait = session.profile.mode === 'automatic' && isTooLarge;
  return mustWait ? session.compaction?.compactionId : undefined;
};

const isAnswer = (type: SessionEvent['type']): boolean =>
  type === 'RequestComposed' || type === 'RequestRefused' || type === 'ContextOverflow';

/** @throws {AppError} `context-overflow`. */
const composedOf = <Made>(
  session: OpenSession,
  drafted: Drafted<Made> | undefined,
  facts: RemedyFacts,
): Composed<Made> => {
  const { lastAnswer } = session;
  invariant(drafted && lastAnswer, 'a request is composed or refused');
  if (lastAnswer.type === 'ContextOverflow') throw contextOverflow(lastAnswer.data);
  return { verdict: lastAnswer, session, made: drafted.made, facts };
};
