import {
  type Contribution,
  carrying,
  mustShrink,
  type OpenSession,
  type RequestComposed,
  type RequestRefused,
  requestVerdict,
  type SessionCommand,
} from '@app/domain';
import { AppError, invariant, type Revision, type Tokens } from '@app/kernel';
import type { Clock } from '@app/ports';
import type { OutcomeWaiter } from '../../running/await-outcome.js';
import { requireOpen } from '../../sessions/require-open.js';
import type { SessionRef } from '../../sessions/session-ref.js';
import type { Caller, SessionStore } from '../../sessions/session-store.js';
import { newCompactionId } from '../compaction-id.js';
import { contextOverflow } from './context-overflow.js';
import type { ContributionCollector, Contributions } from './contributing/collect-contributions.js';

/** A request as it would go out, and the command that asks whether it may. */
export type Drafted<Made> = { readonly made: Made; readonly command: SessionCommand };
/** Composes what the next request of a session would be; asked again where somebody else has written to it meanwhile. */
export type Drafting<Made> = (
  session: OpenSession,
  revision: Revision,
  contributions: Contributions,
) => Drafted<Made>;
export type Composed<Made> = {
  readonly verdict: RequestComposed | RequestRefused;
  readonly session: OpenSession;
  readonly made: Made;
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
    /** How long a compaction is waited for; what the waiter takes for patience where nothing is said. */
    private readonly patienceMs?: number,
  ) {}

  /** @throws {AppError} `session-not-found`, `session-closed`, `invalid-settings`, `context-overflow`. */
  async compose<Made>(
    ref: SessionRef,
    given: readonly Contribution[],
    draft: Drafting<Made>,
    caller: Caller,
  ): Promise<Composed<Made>> {
    const contributions = await this.contributions.collect(ref, given);
    await this.makeRoom(ref, contributions.tokens, caller);
    let drafted: Drafted<Made> | undefined;
    const { state } = await this.sessions.execute(
      ref,
      (now, revision) => {
        if (now.status !== 'open' || revision === undefined) return undefined;
        drafted = draft(now, revision, contributions);
        return drafted.command;
      },
      caller,
    );
    const session = requireOpen(ref, state);
    const { lastAnswer } = session;
    invariant(drafted && lastAnswer, 'a request is composed or refused');
    if (lastAnswer.type === 'ContextOverflow') throw contextOverflow(lastAnswer.data);
    return { verdict: lastAnswer, session, made: drafted.made };
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
