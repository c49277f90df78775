import type { AttemptError } from '@app/domain';
import type { CompactionId, IsoTime } from '@app/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOnSession } from '../command-and-query.js';
import type { SessionStore } from '../sessions/session-store.js';

export type CompactionFailure = {
  readonly compactionId: CompactionId;
  readonly error: AttemptError;
  /** By the worker's clock. */
  readonly now: IsoTime;
};

/** Fails a compaction before its first attempt: a hook that fails closed has not answered. */
export class FailCompaction extends CommandOnSession<CompactionFailure, void> {}

@CommandHandler(FailCompaction)
export class FailCompactionHandler implements ICommandHandler<FailCompaction> {
  constructor(private readonly sessions: SessionStore) {}

  /** Records nothing if the compaction has ended. */
  async execute({ ref, input: failure, caller }: FailCompaction): Promise<void> {
    const data = { sessionId: ref.session, ...failure };
    await this.sessions.execute(ref, { type: 'FailCompaction', data }, caller);
  }
}
