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
  thresholdTokens,
  type WireFormat,
} from '@app/domain';
import { AppError, invariant, type Tokens } from '@app/kernel';
import type { Clock } from '@app/ports';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OutcomeWaiter } from '../../running/await-outcome.js';
import { requireOpen } from '../../sessions/require-open.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import { newCompactionId } from '../compaction-id.js';
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
    await this.makeRoom(ref, contributions.tokens, caller);
    let drafted: Draft | undefined;
    const { state } = await this.sessions.execute(
      ref,
      (now, revision) => {
        if (now.status !== 'open' || revision === undefined) return undefined;
        drafted = draftRequest(ref, now, revision, options, contributions);
        return drafted.command;
      },
      caller,
    );
    const session = requireOpen(ref, state);
    const { lastAnswer } = session;
    invariant(drafted && lastAnswer, 'a request is composed or refused');
    if (lastAnswer.type === 'RequestRefused') return { outcome: 'refused', ...lastAnswer.data };
    if (lastAnswer.type === 'ContextOverflow') throw contextOverflow(lastAnswer.data);
    const { request, body } = drafted;
    return { outcome: 'composed', ...lastAnswer.data, banner: bannerOf(session), request, body };
  }

  /** Records what is crossed, and lets the compaction that must come before the request come to its end. */
  private async makeRoom(ref: SessionRef, contributed: Tokens, caller: Caller): Promise<void> {
    for (let awaited = 0; awaited <= COMPACTIONS_AWAITED; awaited += 1) {
      const common = { sessionId: ref.session, compactionId: newCompactionId() };
      const data = { ...common, now: this.clock.now(), contributed };
      const { state } = await this.sessions.execute(ref, { type: 'CheckBudget', data }, caller);
      const session = carrying(requireOpen(ref, state), contributed);
      const { compaction, profile } = session;
      const isTooLarge = requestVerdict(session).kind === 'refused' || mustShrink(session);
      const mustWait = profile.mode === 'automatic' && isTooLarge;
      if (!mustWait || !compaction || awaited === COMPACTIONS_AWAITED) return;
      try {
        await this.outcomes.outcomeOf(ref, compaction.compactionId, this.patienceMs);
      } catch (error) {
        if (error instanceof AppError && error.code === 'compaction-timed-out') return; // Refused, and in flight.
        throw error;
      }
    }
  }
}

const bannerOf = (session: OpenSession): BudgetBanner | null => {
  const { limits, profile } = session;
  const { state, occupancy, window } = requestVerdict(session);
  if (state === 'normal') return null;
  const share = state === 'warning' ? profile.warnAt : profile.requireAt;
  return { state, occupancy, threshold: thresholdTokens(limits, share), window };
};
