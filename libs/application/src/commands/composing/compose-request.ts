import { createHash } from 'node:crypto';
import {
  type BudgetState,
  type ComposedRequest,
  compose,
  countNotes,
  manifestOf,
  type OpenSession,
  type RequestComposed,
  type RequestRefused,
  requestVerdict,
  type SessionCommand,
  thresholdTokens,
  type WireFormat,
} from '@app/domain';
import { AppError, invariant, type Revision, type Tokens } from '@app/kernel';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OutcomeWaiter } from '../../running/await-outcome.js';
import { requireOpen } from '../../sessions/require-open.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import { newCompactionId } from '../compaction-id.js';

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
    /** How long a compaction is waited for; what the waiter takes for patience where nothing is said. */
    private readonly patienceMs?: number,
  ) {}

  /** @throws {AppError} `session-not-found`, `session-closed`, `invalid-settings`. */
  async execute({ ref, options, caller }: ComposeRequest): Promise<ComposeAnswer> {
    await this.makeRoom(ref, caller);
    let drafted: Draft | undefined;
    const { state } = await this.sessions.execute(
      ref,
      (now, revision) => {
        if (now.status !== 'open' || revision === undefined) return undefined;
        drafted = draft(ref, now, revision, options);
        return drafted.command;
      },
      caller,
    );
    const session = requireOpen(ref, state);
    const { lastAnswer } = session;
    invariant(drafted && lastAnswer, 'a request is composed or refused');
    if (lastAnswer.type === 'RequestRefused') return { outcome: 'refused', ...lastAnswer.data };
    const { request, body } = drafted;
    return { outcome: 'composed', ...lastAnswer.data, banner: bannerOf(session), request, body };
  }

  /** Records what is crossed, and lets the compaction that must come before the request come to its end. */
  private async makeRoom(ref: SessionRef, caller: Caller): Promise<void> {
    for (let awaited = 0; awaited <= COMPACTIONS_AWAITED; awaited += 1) {
      const data = { sessionId: ref.session, compactionId: newCompactionId() };
      const { state } = await this.sessions.execute(ref, { type: 'CheckBudget', data }, caller);
      const session = requireOpen(ref, state);
      const { compaction, profile } = session;
      const mustWait = profile.mode === 'automatic' && requestVerdict(session).kind === 'refused';
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

type Draft = {
  readonly request: ComposedRequest['request'];
  readonly body: string;
  readonly command: SessionCommand;
};

const draft = (
  ref: SessionRef,
  session: OpenSession,
  revision: Revision,
  { format, override }: ComposeOptions,
): Draft => {
  const { request, notes } = compose(manifestOf(session), format);
  const body = JSON.stringify(request);
  const digest = createHash('sha256').update(body).digest('hex');
  const data = { sessionId: ref.session, format, revision, notes: countNotes(notes), digest };
  return {
    request,
    body,
    command: { type: 'ComposeRequest', data: { ...data, ...(override && { override }) } },
  };
};

const bannerOf = (session: OpenSession): BudgetBanner | null => {
  const { limits, profile } = session;
  const { state, occupancy, window } = requestVerdict(session);
  if (state === 'normal') return null;
  const share = state === 'warning' ? profile.warnAt : profile.requireAt;
  return { state, occupancy, threshold: thresholdTokens(limits, share), window };
};
