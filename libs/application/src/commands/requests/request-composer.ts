import {
  type ChangeClientFormCommand,
  type ChangeRequestPartsCommand,
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
  sameTools,
} from '@app/domain';
import {
  AppError,
  type CompactionId,
  invariant,
  type JsonObject,
  type Revision,
  type Tokens,
} from '@app/kernel';
import { type Clock, canSummarize, type SummarizerChoice, type TokenCounter } from '@app/ports';
import { contributionsDigest, hashed } from '../../requests/request-parts.js';
import type { OutcomeWaiter } from '../../sessions/await-outcome.js';
import { counterForFixed } from '../../sessions/count-ahead.js';
import { countFixed } from '../../sessions/count-message.js';
import type { CommandFor } from '../../sessions/decisions/command-for.js';
import { requireOpen } from '../../sessions/require-open.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import { checkBudgetCommand } from '../check-budget.js';
import { contextOverflow } from './context-overflow.js';
import type { ContributionCollector, Contributions } from './contributions/collect-contributions.js';
import { countStep } from './counts/count-step.js';
import type { Countable, RequestCounts } from './counts/request-counts.js';

/** A request as it would go out, and the command that asks whether it may. */
type Drafted<Made> = { readonly made: Made; readonly command: ComposeRequestCommand };
/** Composes what the next request of a session would be; asked again where somebody else has written to it meanwhile. */
export type Drafting<Made> = (
  session: OpenSession,
  revision: Revision,
  contributions: Contributions,
) => Promise<Drafted<Made>>;
/** How a caller would have requests composed. */
export type Composing<Made> = {
  readonly draft: Drafting<Made>;
  /** The same request with nothing left out for its size, where its provider can be asked for that. */
  readonly whole: (session: OpenSession, contributions: Contributions) => Countable | undefined;
  /** What is to be recorded first, in the same append. */
  readonly before?: readonly CommandFor[];
  /** System prompt and tools of this request, where they are not the session's own. */
  readonly fixed?: { readonly systemPrompt: string; readonly tools: readonly JsonObject[] };
  /** How a client writes this request, recorded right before it goes out. */
  readonly form?: (
    session: OpenSession,
    revision: Revision,
    contributions: Contributions,
  ) => ChangeClientFormCommand;
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
    private readonly counter: TokenCounter,
  ) {}

  /** @throws {AppError} `session-not-found`, `session-closed`, `invalid-settings`, `context-overflow`. */
  async compose<Made>(
    ref: SessionRef,
    given: readonly Contribution[],
    { draft, whole, before = [], fixed, form }: Composing<Made>,
    caller: Caller,
  ): Promise<Composed<Made>> {
    const contributions = await this.contributions.collect(ref, given);
    const contributed = contributions.tokens;
    let facts: RemedyFacts = { canSummarize: true };
    for (let awaited = 0, isLast = false; ; awaited += 1) {
      let drafted: Drafted<Made> | undefined;
      let isAsked = false;
      const mayAsk = (now: OpenSession): boolean =>
        isLast || compactionBefore(now, contributed) === undefined;
      const makeForm = (now: SessionState, revision: Revision | undefined) =>
        form && now.status === 'open' && !now.closed && revision !== undefined && mayAsk(now)
          ? form(now, revision, contributions)
          : undefined;
      const make = async (now: SessionState, revision: Revision | undefined) => {
        if (now.status !== 'open' || revision === undefined) return undefined;
        isAsked = mayAsk(now);
        // A client's request is written from what was recorded of it.
        if (!isAsked && form) return undefined;
        drafted = await draft(now, revision, contributions);
        if (!isAsked) return undefined;
        facts = await this.factsOf(ref, now, contributed);
        const { command } = drafted;
        return { ...command, data: { ...command.data, ...facts } };
      };
      const { state, events } = await this.sessions.executeAll(
        ref,
        [
          ...(awaited === 0 ? before : []),
          this.partsStep(ref, contributions, fixed),
          countStep(this.counts, contributed, (session) => whole(session, contributions)),
          checkBudgetCommand(ref, this.clock, { contributed, willContinue: true }),
          { called: 'ChangeClientForm', make: makeForm },
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

  /** Records what the request carries that is not history, as far as it is not what the one before carried. */
  private partsStep(
    { tenant, session: sessionId }: SessionRef,
    { given }: Contributions,
    fixed: Composing<unknown>['fixed'],
  ): CommandFor {
    const contributions = { digest: contributionsDigest(given), given };
    const make = async (now: SessionState): Promise<ChangeRequestPartsCommand | undefined> => {
      if (now.status !== 'open' || now.closed) return undefined;
      if (!fixed) return { type: 'ChangeRequestParts', data: { sessionId, contributions } };
      const { systemPrompt, tools } = fixed;
      const isKnown = systemPrompt === now.parts.systemPrompt && sameTools(tools, now.parts.tools);
      const counter = isKnown
        ? this.counter
        : await counterForFixed(this.counter, tenant, systemPrompt, tools);
      const changed = !isKnown && {
        systemPrompt: hashed(systemPrompt),
        tools: hashed(JSON.stringify(tools)),
        fixedTokens: countFixed(counter, systemPrompt, tools),
      };
      return { type: 'ChangeRequestParts', data: { sessionId, contributions, ...changed } };
    };
    return { called: 'ChangeRequestParts', make };
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
      await this.outcomes.outcomeOf(ref, compactionId);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'compaction-timed-out') return false;
      throw error;
    }
  }
}

/**
 * The compaction in flight that a request with so much beside the session has to wait for. One that calls no model is
 * always waited for: it takes no time, and what goes out then depends on nothing but the calls.
 */
const compactionBefore = (state: OpenSession, contributed: Tokens): CompactionId | undefined => {
  const session = carrying(state, contributed);
  const isTooLarge = requestVerdict(session).kind === 'refused' || mustShrink(session);
  const { profile, compaction } = session;
  const isModelless = compaction?.profile.summarizer === 'extractive' && !compaction.profile.nativeCompaction;
  const mustWait = profile.mode === 'automatic' && (isTooLarge || isModelless);
  return mustWait ? compaction?.compactionId : undefined;
};

const isAnswer = (type: SessionEvent['type']): boolean =>
  type === 'RequestComposed' || type === 'RequestRefused' || type === 'ContextOverflowed';

/** @throws {AppError} `context-overflow`. */
const composedOf = <Made>(
  session: OpenSession,
  drafted: Drafted<Made> | undefined,
  facts: RemedyFacts,
): Composed<Made> => {
  const { lastAnswer } = session;
  invariant(drafted && lastAnswer, 'a request is composed or refused');
  if (lastAnswer.type === 'ContextOverflowed') throw contextOverflow(lastAnswer.data);
  return { verdict: lastAnswer, session, made: drafted.made, facts };
};
