import type { HoldUntil } from '@app/domain';
import type { CompactionId } from '@app/kernel';
import { CommandOnSession } from '../../command-and-query.js';
import { Handler, HandlesCommand } from '../../handlers.js';

/** Defers automatic compactions of a session while requests still fit. */
export class DeferCompactions extends CommandOnSession<
  { readonly until: HoldUntil; readonly reason: string },
  void
> {}

@HandlesCommand(DeferCompactions)
export class DeferCompactionsHandler extends Handler<DeferCompactions, 'sessions'> {
  /** @throws {AppError} `session-not-found`, `session-closed`; `invalid-settings` without a reason. */
  async execute({ ref, input: hold, caller }: DeferCompactions): Promise<void> {
    const data = { sessionId: ref.session, by: caller.actor, ...hold };
    await this.parts.sessions.execute(ref, { type: 'DeferCompactions', data }, caller);
  }
}

export type Released = {
  /** `false` if no hold was active. */
  readonly released: boolean;
  /** The deferred compaction that is requested now. */
  readonly compactionId: CompactionId | undefined;
};

/** Resumes automatic compactions of a session. */
export class ReleaseCompactions extends CommandOnSession<string, Released> {}

@HandlesCommand(ReleaseCompactions)
export class ReleaseCompactionsHandler extends Handler<ReleaseCompactions, 'sessions'> {
  /** @throws {AppError} `session-not-found`, `session-closed`. */
  async execute({ ref, input: reason, caller }: ReleaseCompactions): Promise<Released> {
    const data = { sessionId: ref.session, by: caller.actor, reason };
    const { events } = await this.parts.sessions.execute(ref, { type: 'ReleaseCompactions', data }, caller);
    const requested = events.find((event) => event.type === 'CompactionRequested');
    return { released: events.length > 0, compactionId: requested?.data.compactionId };
  }
}
