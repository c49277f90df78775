import type { CompactionReverted } from '@app/domain';
import { AppError, type CompactionId } from '@app/kernel';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandOnSession } from '../command-and-query.js';
import { requireOpen } from '../sessions/require-open.js';
import type { SessionStore } from '../sessions/session-store.js';

export type Reverted = CompactionReverted['data'];

/** Reverts the newest compaction or reset of a session; a given ID must match it. */
export class RevertCompaction extends CommandOnSession<
  { readonly compactionId?: CompactionId; readonly reason: string },
  Reverted
> {}

@CommandHandler(RevertCompaction)
export class RevertCompactionHandler implements ICommandHandler<RevertCompaction> {
  constructor(private readonly sessions: SessionStore) {}

  /** @throws {AppError} `session-not-found`, `session-closed`, `compaction-not-revertible`. */
  async execute({ ref, input: request, caller }: RevertCompaction): Promise<Reverted> {
    const origin = await this.sessions.revisionBefore(ref, 'RevertCompaction', caller);
    const { state } = await this.sessions.load(ref, origin);
    const compactionId = request.compactionId ?? requireOpen(ref, state).pivot?.compactionId;
    if (!compactionId) {
      throw new AppError('compaction-not-revertible', `session "${ref.session}" has no compaction to revert`);
    }
    const without = await this.sessions.loadWithout(ref, compactionId);
    const data = { sessionId: ref.session, compactionId, reason: request.reason, without };
    const { events } = await this.sessions.execute(ref, { type: 'RevertCompaction', data }, caller);
    const reverted = events.find((event) => event.type === 'CompactionReverted');
    if (reverted) return reverted.data;
    throw new AppError('compaction-not-revertible', `${compactionId} is already reverted`);
  }
}
