import {
  type CommandOf,
  type Contribution,
  type EventOf,
  mustShrink,
  type OpenSession,
  type RemedyFacts,
  requestVerdict,
  type SessionEvent,
  type SessionState,
  sameTools,
  withContributed,
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
import { counterForFixed, countFixed } from '../../sessions/count-message.js';

import { type CommandFor, checkBudgetCommand } from '../../sessions/decisions.js';

import { requireOpen, type SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import type { ContributionCollector, Contributions } from './collect-contributions.js';
import { contextOverflow } from './context-overflow.js';
import { type Countable, countStep, type RequestCounts } from './request-counts.js';

/** A draft, and the command that decides whether it may be sent. */
type Drafted<Made> = { readonly made: Made; readonly command: CommandOf<'ComposeRequest'> };
/** Composes a draft of the next request; called again after a conflict with another writer. */
export type Drafting<Made> = (
  session: OpenSession,
  revision: Revision,
  contributions: Contributions,
) => Promise<Drafted<Made>>;
/** Options of {@link RequestComposer.compose}. */
export type Composing<Made> = {
  readonly draft: Drafting<Made>;
  /** Returns the request without size-related omissions; `undefined` if its provider has no token count. */
  readonly whole: (session: OpenSession, contributions: Contributions) => Countable | undefined;
  /** Commands to execute first, in the same append. */
  readonly before?: readonly CommandFor[];
  /** System prompt and tools of this request, if they differ from the session's. */
  readonly fixed?: { readonly systemPrompt: string; readonly tools: readonly JsonObject[] };
  /** Returns a command that records the client's form of this request, right before the request itself. */
  readonly form?: (
    session: OpenSession,
    revision: Revision,
    contributions: Contributions,
  ) => CommandOf<'ChangeClientForm'>;
};
export type Composed<Made> = {
  readonly verdict: EventOf<'RequestComposed'> | EventOf<'RequestRefused'>;
  readonly session: OpenSession;
  readonly made: Made;
  readonly facts: RemedyFacts;
};

/** Compactions to wait for: a second one if messages have arrived meanwhile. After that, the budget decides. */
const COMPACTIONS_AWAITED = 2;

/** Composes requests of any format within the budget of their sessions. */
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
        // A gateway request is written from the recorded state.
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

  /** Records the parts of the request that are not history, if they differ from those of the previous request. */
  private partsStep(
    { tenant, session: sessionId }: SessionRef,
    { given }: Contributions,
    fixed: Composing<unknown>['fixed'],
  ): CommandFor {
    const contributions = { digest: contributionsDigest(given), given };
    const make = async (now: SessionState): Promise<CommandOf<'ChangeRequestParts'> | undefined> => {
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

  /** Returns the facts that remedies depend on besides the session; looked up only if a remedy is needed. */
  private async factsOf(ref: SessionRef, now: OpenSession, contributed: Tokens): Promise<RemedyFacts> {
    const { kind, state } = requestVerdict(withContributed(now, contributed));
    if (kind === 'may-go' && state === 'normal' && !mustShrink(now)) return { canSummarize: true };
    const { profile, model } = now;
    return { canSummarize: await canSummarize(this.summarizers, { tenant: ref.tenant, profile, model }) };
  }

  /** Waits for the compaction that must precede the request; `false` on a timeout. */
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
 * Returns the running compaction that a request with these contributions must wait for. Compactions without a model call are
 * always waited for: they are fast, and the request then depends on the sequence of calls alone.
 */
const compactionBefore = (state: OpenSession, contributed: Tokens): CompactionId | undefined => {
  const session = withContributed(state, contributed);
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
