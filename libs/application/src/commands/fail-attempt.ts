import type { FailAttemptCommand } from '@app/domain';
import type { ModelRegistry } from '@app/ports';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOnSession } from '../command-and-query.js';
import type { SessionStore } from '../sessions/session-store.js';
import { type AttemptOutcome, type AttemptReport, attemptOutcome, pricedUsage } from './attempt.js';

export type FailedAttempt = AttemptReport & Pick<FailAttemptCommand['data'], 'error' | 'retryAt' | 'giveUp'>;

/** Records that an attempt has failed; the last attempt fails its compaction. */
export class FailAttempt extends CommandOnSession<FailedAttempt, AttemptOutcome> {}

@CommandHandler(FailAttempt)
export class FailAttemptHandler implements ICommandHandler<FailAttempt> {
  constructor(
    private readonly sessions: SessionStore,
    private readonly models: ModelRegistry,
  ) {}

  /** Records nothing if another worker runs a later attempt or the compaction has ended. */
  async execute({ ref, input: failed, caller }: FailAttempt): Promise<AttemptOutcome> {
    const { usage: _, bills: __, ...failure } = failed;
    const paid = await pricedUsage(this.models, ref.tenant, failed);
    const data = { sessionId: ref.session, ...failure, ...paid };
    const { state } = await this.sessions.execute(ref, { type: 'FailAttempt', data }, caller);
    const outcome = attemptOutcome(state, failure.compactionId, failure.attempt);
    return outcome === 'running' ? 'failed' : outcome;
  }
}
