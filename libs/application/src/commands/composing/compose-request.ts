import {
  type BudgetState,
  type ComposedRequest,
  type Contribution,
  carrying,
  mustShrink,
  type OpenSession,
  type RequestComposed,
  type RequestRefused,
  requestVerdict,
  type SessionEvent,
  type SessionState,
  thresholdTokens,
  type WireFormat,
} from '@app/domain';
import { AppError, type CompactionId, invariant, type Revision, type Tokens } from '@app/kernel';
import type { Clock } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OutcomeWaiter } from '../../running/await-outcome.js';
import { requireOpen } from '../../sessions/require-open.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import { checkOf } from '../check-budget.js';
import { contextOverflow } from './context-overflow.js';
import type { ContributionCollector } from './contributing/collect-contributions.js';
import { type Draft, draftRequest } from './draft-request.js';

/** What whoever shows the session should show beside it. */
export type BudgetBanner = {
  readonly state: BudgetState;
  readonly occupancy: Tokens;
  /** At which the state begins. */
  readonly threshold: Tokens;
  readonly window: Tokens;
};
export type ComposeAnswer =
  | (RequestComposed['data'] & {
      readonly outcome: 'composed';
      /** `null` while occupancy is normal. */
      readonly banner: BudgetBanner | null;
      readonly request: ComposedRequest['request'];
      /** The request as it was digested: to be sent as it is. */
      readonly body: string;
    })
  | (RequestRefused['data'] & { readonly outcome: 'refused' });

export type ComposeOptions = {
  readonly format: WireFormat;
  /** Somebody's word that this one turn goes on although a compaction is required. */
  readonly override?: { readonly reason: string };
  /** What this one request carries besides the session, behind what the context providers of this process give. */
  readonly contributions?: readonly Contribution[];
};

/** Composes the next request of a session, or refuses it: to be asked before every model call. */
export class ComposeRequest extends Command<ComposeAnswer> {
  constructor(
    readonly ref: SessionRef,
    readonly options: ComposeOptions,
    readonly caller: Caller,
  ) {
    super();
  }
}

/** One compaction is waited for, and one more where so much came meanwhile; then the budget has the last word. */
const COMPACTIONS_AWAITED = 2;

@CommandHandler(ComposeRequest)
export class ComposeRequestHandler implements ICommandHandler<ComposeRequest> {
  constructor(
    private readonly sessions: SessionStore,
    private readonly outcomes: OutcomeWaiter,
    private readonly contributions: ContributionCollector,
    private readonly clock: Clock,
    /** How long a compaction is waited for; what the waiter takes for patience where nothing is said. */
    private readonly patienceMs?: number,
  ) {}

  /** @throws {AppError} `session-not-found`, `session-closed`, `invalid-settings`, `context-overflow`. */
  async execute({ ref, options, caller }: ComposeRequest): Promise<ComposeAnswer> {
    const contributions = await this.contributions.collect(ref, options.contributions ?? []);
    const contributed = contributions.tokens;
    for (let awaited = 0, isLast = false; ; awaited += 1) {
      let drafted: Draft | undefined;
      let isAsked = false;
      const make = (now: SessionState, revision: Revision | undefined) => {
        if (now.status !== 'open' || revision === undefined) return undefined;
        drafted = draftRequest(ref, now, revision, options, contributions);
        isAsked = isLast || compactionBefore(now, contributed) === undefined;
        return isAsked ? drafted.command : undefined;
      };
      const { state, events } = await this.sessions.executeAll(
        ref,
        [checkOf(ref, this.clock, { contributed }), { called: 'ComposeRequest', make }],
        caller,
      );
      const session = requireOpen(ref, state);
      const compactionId = compactionBefore(session, contributed);
      if (isAsked || compactionId === undefined || events.some(({ type }) => isAnswer(type)))
        return answerOf(session, drafted);
      const isOver = await this.isOver(ref, compactionId);
      isLast = !isOver || awaited + 1 === COMPACTIONS_AWAITED;
    }
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
const answerOf = (session: OpenSession, drafted: Draft | undefined): ComposeAnswer => {
  const { lastAnswer } = session;
  invariant(drafted && lastAnswer, 'a request is composed or refused');
  if (lastAnswer.type === 'RequestRefused') return { outcome: 'refused', ...lastAnswer.data };
  if (lastAnswer.type === 'ContextOverflow') throw contextOverflow(lastAnswer.data);
  const { request, body } = drafted;
  return { outcome: 'composed', ...lastAnswer.data, banner: bannerOf(session), request, body };
};

const bannerOf = (session: OpenSession): BudgetBanner | null => {
  const { limits, profile } = session;
  const { state, occupancy, window } = requestVerdict(session);
  if (state === 'normal') return null;
  const share = state === 'warning' ? profile.warnAt : profile.requireAt;
  return { state, occupancy, threshold: thresholdTokens(limits, share), window };
};
