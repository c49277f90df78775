import {
  type CompleteCompactionCommand,
  continuationOf,
  type SessionState,
  type SummarizerIdentity,
} from '@app/domain';
import type { ModelRegistry, TokenCounter } from '@app/ports';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOnSession } from '../command-and-query.js';
import { countMessage } from '../sessions/count-message.js';
import type { SessionStore } from '../sessions/session-store.js';
import { type AttemptOutcome, type AttemptReport, attemptOutcome, pricedUsage } from './attempt.js';

export type CompletedAttempt = AttemptReport &
  Pick<CompleteCompactionCommand['data'], 'summary' | 'native' | 'durationMs'> & {
    readonly summarizer: SummarizerIdentity;
  };

/** Verifies the result of an attempt and applies it; an invalid result fails the attempt. */
export class CompleteCompaction extends CommandOnSession<CompletedAttempt, AttemptOutcome> {}

@CommandHandler(CompleteCompaction)
export class CompleteCompactionHandler implements ICommandHandler<CompleteCompaction> {
  constructor(
    private readonly sessions: SessionStore,
    private readonly counter: TokenCounter,
    private readonly models: ModelRegistry,
  ) {}

  /** Records nothing if another worker runs a later attempt or the compaction has ended. */
  async execute({ ref, input: completed, caller }: CompleteCompaction): Promise<AttemptOutcome> {
    const { usage: _, bills: __, ...result } = completed;
    const { compactionId, attempt } = result;
    const paid = await pricedUsage(this.models, ref.tenant, completed);
    const make = (state: SessionState): CompleteCompactionCommand => {
      const isContinued = state.status === 'open' && state.compaction?.profile.autoContinue;
      const continuation = isContinued && countMessage(this.counter, continuationOf(compactionId));
      const data = { sessionId: ref.session, ...result, ...paid, ...(continuation && { continuation }) };
      return { type: 'CompleteCompaction', data };
    };
    const { state } = await this.sessions.execute(ref, { called: 'CompleteCompaction', make }, caller);
    const outcome = attemptOutcome(state, compactionId, attempt);
    return outcome === 'running' ? 'failed' : outcome;
  }
}
